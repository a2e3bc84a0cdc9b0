//! The search: fixed depths, and its innermost parts, the transposition table and evaluation.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use movegen::{ChessRules, GameRecord, MakhosRules, Position, RuleSet, Variant};
use search::eval::Evaluator;
use search::internals::{Entry, TranspositionTable};
use search::{
    AseanGame, Bound, Game, Limits, MakhosGame, MakrukGame, NoObserver, SearchOptions, Searcher,
    Signals,
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

/// The positions after a few plies, whoever moves where.
fn some_positions<P: Position>(start: P, count: usize) -> Vec<P> {
    let mut positions = vec![start];
    let mut next = 0;
    while positions.len() < count && next < positions.len() {
        let position = positions[next].clone();
        positions.extend(position.legal_moves().iter().map(|&m| position.play_unchecked(m)));
        next += 1;
    }
    positions
}

fn bench_evaluate<G: Game>(c: &mut Criterion, name: &str, rules: <G::Pos as Position>::Rules) {
    let positions = some_positions(G::Pos::start(rules), 500);
    let mut eval = G::Eval::default();
    c.bench_function(&format!("evaluate/{name}/{} positions", positions.len()), |b| {
        b.iter(|| positions.iter().map(|p| eval.evaluate(p)).sum::<i32>());
    });
}

fn bench_table(c: &mut Criterion) {
    let table = TranspositionTable::new(64);
    let entry = Entry {
        tag: 77,
        score: 12,
        raw_eval: 10,
        depth: 5,
        bound: Some(Bound::Lower),
        pv: false,
        remaining: u8::MAX,
    };
    let keys: Vec<u64> = (1..=1000_u64).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect();
    c.bench_function("table/store 1000", |b| {
        b.iter(|| keys.iter().for_each(|&key| table.store(key, entry)));
    });
    c.bench_function("table/probe 1000", |b| {
        b.iter(|| keys.iter().filter(|&&key| black_box(table.probe(key)).is_some()).count());
    });
}

fn benches(c: &mut Criterion) {
    let asean = ChessRules::preset(Variant::Asean, RuleSet::Standard);
    bench_table(c);
    bench_evaluate::<MakrukGame>(c, "makruk", ChessRules::STANDARD);
    bench_evaluate::<MakhosGame>(c, "makhos", MakhosRules::STANDARD);
    bench_game::<MakrukGame>(c, "makruk", ChessRules::STANDARD, 9);
    bench_game::<AseanGame>(c, "asean", asean.unwrap_or(ChessRules::STANDARD), 9);
    bench_game::<MakhosGame>(c, "makhos", MakhosRules::STANDARD, 11);
}

criterion_group!(group, benches);
criterion_main!(group);
