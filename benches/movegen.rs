//! What the search does most often: make lists, play moves, walk trees.
#![allow(missing_docs, clippy::unwrap_used)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use movegen::chess::{AseanBoard, MakrukBoard};
use movegen::{ChessRules, MakhosRules, MoveList, Position, makhos};

/// One game's positions: opening, middlegame, ending.
fn bench_game<P: Position>(c: &mut Criterion, rules: P::Rules, fens: [&str; 2]) {
    let mut positions = vec![P::start(rules)];
    positions.extend(fens.map(|fen| P::from_fen(fen, rules).unwrap()));
    let game = P::VARIANT.name();

    let mut group = c.benchmark_group("generate");
    let number: u64 = positions.iter().map(|p| p.legal_moves().len() as u64).sum();
    group.throughput(Throughput::Elements(number));
    group.bench_function(game, |b| {
        b.iter(|| {
            for position in &positions {
                let mut moves = MoveList::new();
                black_box(position).generate(&mut moves);
                black_box(&moves);
            }
        });
    });
    group.finish();

    let mut group = c.benchmark_group("play");
    group.throughput(Throughput::Elements(number));
    let lists: Vec<_> = positions.iter().map(|p| (p, p.legal_moves())).collect();
    group.bench_function(game, |b| {
        b.iter(|| {
            for (position, moves) in &lists {
                for &m in moves {
                    black_box(black_box(*position).play_unchecked(m));
                }
            }
        });
    });
    group.finish();

    let mut group = c.benchmark_group("perft 4");
    group.throughput(Throughput::Elements(positions[0].perft(4)));
    group.bench_function(game, |b| b.iter(|| black_box(&positions[0]).perft(4)));
    group.bench_function(format!("{game}, listing"), |b| {
        b.iter(|| black_box(&positions[0]).perft_listing(4));
    });
    group.finish();
}

fn movegen(c: &mut Criterion) {
    bench_game::<MakrukBoard>(
        c,
        ChessRules::STANDARD,
        [
            "3m1nn1/rs1k1s1r/pp1pppp1/2p4p/3P1PPP/PPP1P3/4NM1R/RNSK1S2 b - - 0 11",
            "8/7N/1k6/2R2S1P/8/5K2/1S6/8 b - - 2 58",
        ],
    );
    bench_game::<AseanBoard>(
        c,
        ChessRules::STANDARD,
        [
            "1n6/4k1N1/1pPq1b1P/3R4/K1p4p/8/RB6/1N5B b - - 0 51",
            "8/1k6/p2P3q/Pp1n4/8/1B2K3/8/1N1Q4 w - - 1 36",
        ],
    );
    bench_game::<makhos::Board>(
        c,
        MakhosRules::STANDARD,
        ["W:WKd2,c3,f2:Be7,d6,b4,Kh8", "B:Wa1,c1,e1,g3:Bb8,d8,f8,h6,g7"],
    );
}

criterion_group!(benches, movegen);
criterion_main!(benches);
