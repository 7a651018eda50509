fn main() {
    let a: Vec<String> = std::env::args().skip(1).collect();
    let mut o = simrun_measure::Options::new(&a[0]);
    o.seed = a.get(1).map_or(1, |x| x.parse().unwrap());
    if a.get(2).is_some_and(|x| x == "rapier") {
        o.solver = simrun_sim::solve::Backend::Rapier;
    }
    o.runs = a.get(3).map(|x| x.parse().unwrap());
    let t = simrun_measure::run(&o).unwrap();
    println!("{} seed {} ok {}", a[0], o.seed, t.ok);
    for r in &t.rows {
        if !r.ok || std::env::var_os("ALL").is_some() {
            println!("  {:?}", r);
        }
    }
}
