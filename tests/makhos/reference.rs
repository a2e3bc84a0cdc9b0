//! A slow Makhos of the tests' own, square by square from the rules; it shares no code with the
//! engine and knows no bit sets.

use std::collections::BTreeSet;

/// File and rank, 0-7.
pub(crate) type Cell = (i8, i8);

const DIAGONALS: [Cell; 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];

/// `w` and `b` are men, `W` and `B` kings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Reference {
    pub(crate) cells: [[Option<char>; 8]; 8],
    pub(crate) white_moves: bool,
    pub(crate) removed_at_once: bool,
    pub(crate) may_reverse: bool,
}

/// One complete chain, or a quiet move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Chain {
    pub(crate) from: Cell,
    /// Landing squares; the last one is where the move ends.
    pub(crate) path: Vec<Cell>,
    pub(crate) captured: Vec<Cell>,
}

/// What makes two chains one move.
pub(crate) type Identity = (Cell, Cell, BTreeSet<Cell>);

impl Chain {
    pub(crate) fn to(&self) -> Cell {
        *self.path.last().unwrap()
    }

    pub(crate) fn identity(&self) -> Identity {
        (self.from, self.to(), self.captured.iter().copied().collect())
    }

    /// `c3e5g7`
    pub(crate) fn text(&self) -> String {
        let cells = std::iter::once(&self.from).chain(&self.path);
        cells.map(|&(f, r)| format!("{}{}", (b'a' + f as u8) as char, r + 1)).collect()
    }
}

impl Reference {
    fn get(&self, (file, rank): Cell) -> Option<char> {
        self.cells[rank as usize][file as usize]
    }

    fn set(&mut self, (file, rank): Cell, piece: Option<char>) {
        self.cells[rank as usize][file as usize] = piece;
    }

    fn is_own(&self, piece: char) -> bool {
        piece.eq_ignore_ascii_case(&'w') == self.white_moves
    }

    fn own_cells(&self) -> Vec<Cell> {
        let all = (0..8).flat_map(|rank| (0..8).map(move |file| (file, rank)));
        all.filter(|&cell| self.get(cell).is_some_and(|piece| self.is_own(piece))).collect()
    }

    fn forward(&self) -> i8 {
        if self.white_moves { 1 } else { -1 }
    }

    fn last_rank(&self) -> i8 {
        if self.white_moves { 7 } else { 0 }
    }

    /// Every complete chain in every order, or every quiet move if there is no capture.
    pub(crate) fn chains(&self) -> Vec<Chain> {
        let mut found = Vec::new();
        for from in self.own_cells() {
            let piece = self.get(from).unwrap();
            let mut lifted = self.clone();
            lifted.set(from, None);
            let start = Chain { from, path: Vec::new(), captured: Vec::new() };
            lifted.extend(piece, from, None, start, &mut found);
        }
        if found.is_empty() { self.quiet_moves() } else { found }
    }

    /// The distinct moves.
    pub(crate) fn moves(&self) -> BTreeSet<Identity> {
        self.chains().iter().map(Chain::identity).collect()
    }

    fn extend(
        &self,
        piece: char,
        at: Cell,
        came: Option<Cell>,
        so_far: Chain,
        found: &mut Vec<Chain>,
    ) {
        let is_king = piece.is_ascii_uppercase();
        let crowned = !is_king && at.1 == self.last_rank();
        let mut went_on = false;
        for way in DIAGONALS {
            let turns_back = came == Some((-way.0, -way.1));
            if crowned || !is_king && way.1 != self.forward() || turns_back && !self.may_reverse {
                continue;
            }
            let mut victim = step(at, way);
            while is_king && on_board(victim) && self.get(victim).is_none() {
                victim = step(victim, way);
            }
            let landing = step(victim, way);
            if !on_board(landing) || self.get(landing).is_some() {
                continue;
            }
            let is_enemy = self.get(victim).is_some_and(|piece| !self.is_own(piece));
            if !is_enemy || so_far.captured.contains(&victim) {
                continue;
            }
            went_on = true;
            let mut board = self.clone();
            if self.removed_at_once {
                board.set(victim, None);
            }
            let mut chain = so_far.clone();
            chain.path.push(landing);
            chain.captured.push(victim);
            board.extend(piece, landing, Some(way), chain, found);
        }
        if !went_on && !so_far.captured.is_empty() {
            found.push(so_far);
        }
    }

    fn quiet_moves(&self) -> Vec<Chain> {
        let mut found = Vec::new();
        for from in self.own_cells() {
            let is_king = self.get(from).unwrap().is_ascii_uppercase();
            for way in DIAGONALS {
                if !is_king && way.1 != self.forward() {
                    continue;
                }
                let mut to = step(from, way);
                while on_board(to) && self.get(to).is_none() {
                    found.push(Chain { from, path: vec![to], captured: Vec::new() });
                    if !is_king {
                        break;
                    }
                    to = step(to, way);
                }
            }
        }
        found
    }

    /// The position after a move.
    pub(crate) fn after(&self, chain: &Chain) -> Self {
        let mut next = self.clone();
        let piece = self.get(chain.from).unwrap();
        next.set(chain.from, None);
        for &victim in &chain.captured {
            next.set(victim, None);
        }
        let crowned = chain.to().1 == self.last_rank();
        next.set(chain.to(), Some(if crowned { piece.to_ascii_uppercase() } else { piece }));
        next.white_moves = !self.white_moves;
        next
    }

    /// The same position seen by the other player: colors swapped, board turned.
    pub(crate) fn turned(&self) -> Self {
        let mut turned = self.clone();
        turned.white_moves = !self.white_moves;
        for rank in 0..8 {
            for file in 0..8 {
                let piece = self.get((7 - file, 7 - rank)).map(|piece| match piece {
                    'w' => 'b',
                    'W' => 'B',
                    'b' => 'w',
                    _ => 'W',
                });
                turned.set((file, rank), piece);
            }
        }
        turned
    }

    /// The 64-cell form of a FEN, mirrored left to right if asked.
    pub(crate) fn cells_fen(&self, mirrored: bool) -> String {
        let mut rows = Vec::new();
        for rank in (0..8).rev() {
            let mut row = String::new();
            let mut gap = 0;
            for file in 0..8 {
                match self.get((if mirrored { 7 - file } else { file }, rank)) {
                    None => gap += 1,
                    Some(piece) => {
                        if gap > 0 {
                            row += &gap.to_string();
                        }
                        gap = 0;
                        row.push(piece);
                    }
                }
            }
            if gap > 0 {
                row += &gap.to_string();
            }
            rows.push(row);
        }
        format!("{} {}", rows.join("/"), if self.white_moves { 'w' } else { 'b' })
    }
}

fn step(cell: Cell, way: Cell) -> Cell {
    (cell.0 + way.0, cell.1 + way.1)
}

fn on_board(cell: Cell) -> bool {
    (0..8).contains(&cell.0) && (0..8).contains(&cell.1)
}
