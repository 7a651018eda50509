// Lays out every Luau file as stylua.toml says; with --check writes nothing, and one that is laid out otherwise fails.
// node format.js FOLDER_WITH_NODE_MODULES ROOT [--check]
const fs = require("fs");
const path = require("path");

const [modules, root] = process.argv.slice(2, 4).map((folder) => path.resolve(folder));
const check = process.argv.includes("--check");
const stylua = require(path.join(modules, "node_modules", "@johnnymorganz", "stylua"));
// Settings whose values have names.
const NAMED = { syntax: stylua.LuaVersion, indent_type: stylua.IndentType, quote_style: stylua.QuoteStyle };

function settings() {
  const config = stylua.Config.new();
  config.line_endings = stylua.LineEndings.Unix;
  const lines = fs.readFileSync(path.join(root, "stylua.toml"), "utf8").split("\n").filter((line) => /^[a-z]/.test(line));
  for (const line of lines) {
    const [key, value] = line.split("=").map((part) => part.trim());
    const known = key in NAMED ? NAMED[key][JSON.parse(value)] : JSON.parse(value);
    if (!(key in config) || known === undefined) throw new Error(`stylua.toml: ${line}: unknown here; see runtime/xtask/src/format.js`);
    config[key] = known;
  }
  return config;
}

// Generated ones are left as they are made.
function scripts(folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1)).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name.startsWith(".") || entry.name === "target" ? [] : scripts(file);
    return entry.name.endsWith(".luau") && !entry.name.endsWith(".d.luau") ? [file] : [];
  });
}

const files = scripts(root);
if (files.length === 0) throw new Error(`no Luau in ${root}`);
const other = files.filter((file) => {
  const text = fs.readFileSync(file, "utf8");
  const laidOut = stylua.formatCode(text, settings(), undefined, stylua.OutputVerification.Full);
  if (laidOut !== text && !check) fs.writeFileSync(file, laidOut);
  return laidOut !== text;
});
for (const file of other) console.log(`${path.relative(root, file)}: ${check ? "not laid out so; `cargo xtask format` does it" : "laid out"}`);
console.log(`${files.length} scripts, ${other.length} ${check ? "laid out otherwise" : "changed"}`);
if (check && other.length > 0) process.exitCode = 1;
