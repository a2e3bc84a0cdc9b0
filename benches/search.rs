//! Fixed-depth searches: what a change of speed looks like.

use criterion::{Criterion, criterion_group, criterion_main};
use movegen::{ChessRules, GameRecord, MakhosRules, Position, RuleSet, Variant};
use search::{
    AseanGame, Game, Limits, MakhosGame, MakrukGame, NoObserver, SearchOptions, Searcher, Signals,
};

fn bench_game<G: Game>(
    c: &mut Criterion,
    name: &str,
    rules: <G::Pos as Position>::Rules,
    depth: u32,
) {
    let record = GameRecord::new(G::Pos::start(rules));
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut searcher = Searcher::<G>::new(SearchOptions::default());
    c.bench_function(&format!("search/{name}/depth {depth}"), |b| {
        b.iter(|| {
            searcher.clear();
            searcher.search(&record, &limits, &Signals::new(), &mut NoObserver)
        });
    });
}

fn benches(c: &mut Criterion) {
    let asean = ChessRules::preset(Variant::Asean, RuleSet::Standard);
    bench_game::<MakrukGame>(c, "makruk", ChessRules::STANDARD, 9);
    bench_game::<AseanGame>(c, "asean", asean.unwrap_or(ChessRules::STANDARD), 9);
    bench_game::<MakhosGame>(c, "makhos", MakhosRules::STANDARD, 11);
}

criterion_group!(group, benches);
criterion_main!(group);
