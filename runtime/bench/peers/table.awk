# Rows of the engines (tabs between engine, setting, version, figures, least, median, pelvis, joints off) made one table: a line for
# each engine and setting in the order of the run, its numbers of figures side by side. A row that begins anew for the same engine and
# setting is a run of its own: simrun stands before and after the others.
BEGIN { FS = "\t" }
NF == 8 && $4 ~ /^[0-9]+$/ {
  key = $1 FS $2
  seen[key, $4]++
  line = key FS seen[key, $4]
  if (!(line in named)) { named[line] = 1; order[++lines] = line; engine[line] = $1; setting[line] = $2; version[line] = $3 }
  if (!($4 in known)) { known[$4] = 1; counts[++sizes] = $4 }
  least[line, $4] = $5; median[line, $4] = $6; pelvis[line, $4] = $7; off[line, $4] = $8
}
END {
  if (!lines) { print "no engine ran"; exit }
  printf "%-12s %-36s %-8s", "engine", "setting", "version"
  for (size = 1; size <= sizes; size++) printf "  %16s", counts[size] (counts[size] == 1 ? " figure" : " figures")
  # Signs of two bytes take one column, and awk counts bytes here.
  printf "  %9s  %13s\n", "pelvis m", "joints off °"
  for (at = 1; at <= lines; at++) {
    line = order[at]
    name = setting[line]; wide = 36 + gsub(/×/, "×", name)
    printf "%-12s %-" wide "s %-8s", engine[line], name, version[line]
    low = ""; gap = 0
    for (size = 1; size <= sizes; size++) {
      count = counts[size]
      if ((line, count) in least) {
        printf "  %7.1f (%6.1f)", least[line, count], median[line, count]
        if (low == "" || pelvis[line, count] < low) low = pelvis[line, count]
        if (off[line, count] > gap) gap = off[line, count]
      } else printf "  %16s", "-"
    }
    printf "  %9.3f  %12.2f\n", low, gap
  }
  ratios()
}

function most(   size, count) {
  for (size = 1; size <= sizes; size++) if (counts[size] + 0 > count) count = counts[size] + 0
  return count
}

# The least of all runs of an engine at a setting, with the most figures.
function of(which, told,   at, count, found) {
  count = most(); found = ""
  for (at = 1; at <= lines; at++)
    if (engine[order[at]] == which && setting[order[at]] == told && (order[at], count) in least)
      if (found == "" || least[order[at], count] < found) found = least[order[at], count]
  return found
}

# One line: what simrun takes beside another engine.
function ratio(told, which, setting,   own, other) {
  own = of("simrun", told); other = of(which, setting)
  if (own == "" || other == "") return
  printf "%-38s %5.2f µs = %.3f × %s %s (%.2f µs)\n", told, own, own / other, which, setting, other
}

function ratios(   width, widths, steps, substeps, told) {
  print ""
  print "simrun beside others, " most() " figures, the least of all runs:"
  split("AVX2 SSE2", widths, " "); split("8 4", steps, " ")
  for (width = 1; width <= 2; width++) for (substeps = 1; substeps <= 2; substeps++) {
    told = widths[width] ", " steps[substeps] " sub-steps"
    ratio(told ", its solver alone", "PhysX", "TGS, 1 × 8 iterations")
    ratio(told, "PhysX", "TGS, 1 × 8 iterations")
    ratio(told, "rapier3d", "1 × 8 iterations")
  }
}
