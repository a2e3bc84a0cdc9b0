//! What is said at the table, in English and Thai.

use movegen::{Clock, ClockKind, Color, DrawReason, Outcome, Variant, WinReason};
use search::ScoreKind;

use super::args::Language;
use crate::count;
use crate::dispatch::GameRules;
use crate::report::capitalised;
use crate::session::game_name;

impl Language {
    /// Chooses between the two.
    fn pick<'a>(self, english: &'a str, thai: &'a str) -> &'a str {
        match self {
            Self::En => english,
            Self::Th => thai,
        }
    }

    pub(super) fn color(self, color: Color) -> &'static str {
        match color {
            Color::White => self.pick("White", "ขาว"),
            Color::Black => self.pick("Black", "ดำ"),
        }
    }

    pub(super) fn game(self, variant: Variant) -> &'static str {
        match variant {
            Variant::Makruk => self.pick(game_name(variant), "หมากรุกไทย"),
            Variant::Asean => self.pick(game_name(variant), "หมากรุกอาเซียน"),
            Variant::Makhos => self.pick(game_name(variant), "หมากฮอส"),
        }
    }

    pub(super) fn you(self) -> &'static str {
        self.pick("You", "คุณ")
    }

    pub(super) fn greeting(self) -> &'static str {
        self.pick("Type a move, or 'help'. Ctrl-D ends.", "พิมพ์ตาเดิน หรือ 'help' (วิธีใช้)  Ctrl-D เลิก")
    }

    pub(super) fn prompt(self, color: Color) -> String {
        match self {
            Self::En => format!("{} to move> ", self.color(color)),
            Self::Th => format!("ฝ่าย{}เดิน> ", self.color(color)),
        }
    }

    pub(super) fn plays(self, color: Color, text: &str) -> String {
        match self {
            Self::En => format!("Hanuman ({}) plays {text}", self.color(color)),
            Self::Th => format!("หนุมาน (ฝ่าย{}) เดิน {text}", self.color(color)),
        }
    }

    pub(super) fn not_understood(self, text: &str, reason: &str) -> String {
        match self {
            Self::En => format!("{reason}. 'moves' lists the legal moves, 'help' the commands."),
            Self::Th => format!("เดิน '{text}' ไม่ได้  'moves' ดูตาเดินทั้งหมด 'help' วิธีใช้"),
        }
    }

    pub(super) fn over(self) -> &'static str {
        self.pick(
            "The game is over: 'new', 'undo', 'save FILE' or 'quit'.",
            "จบเกมแล้ว: 'new' เริ่มใหม่, 'undo' ถอย, 'save FILE' บันทึก หรือ 'quit' เลิก",
        )
    }

    pub(super) fn nothing_to_undo(self) -> &'static str {
        self.pick("There is no move to take back.", "ไม่มีตาเดินให้ถอย")
    }

    pub(super) fn no_move(self) -> &'static str {
        self.pick("No move was found.", "ไม่พบตาเดิน")
    }

    pub(super) fn saved(self, path: &str) -> String {
        match self {
            Self::En => format!("Added to {path}"),
            Self::Th => format!("บันทึกลง {path} แล้ว"),
        }
    }

    pub(super) fn not_saved(self, path: &str, error: &str) -> String {
        match self {
            Self::En => format!("Not saved in {path}: {error}"),
            Self::Th => format!("บันทึกลง {path} ไม่ได้: {error}"),
        }
    }

    pub(super) fn needs_file(self) -> &'static str {
        self.pick("save needs the name of a file", "save ต้องมีชื่อแฟ้ม")
    }

    pub(super) fn level(self, level: u8) -> String {
        match self {
            Self::En => format!("Hanuman plays at level {level} of 10."),
            Self::Th => format!("หนุมานเล่นระดับ {level} จาก 10"),
        }
    }

    pub(super) fn needs_level(self) -> &'static str {
        self.pick("level needs a number from 1 to 10", "level ต้องเป็น 1 ถึง 10")
    }

    /// `Hint: Nd2 (+0.34)`
    pub(super) fn hint(self, text: &str, score: Option<ScoreKind>) -> String {
        let score = match score {
            Some(ScoreKind::Centipawns(cp)) => format!(" ({:+.2})", f64::from(cp) / 100.0),
            Some(ScoreKind::Mate(moves)) if moves > 0 => match self {
                Self::En => format!(" (mate in {moves})"),
                Self::Th => format!(" (จนใน {moves} ตา)"),
            },
            Some(ScoreKind::Mate(moves)) => match self {
                Self::En => format!(" (mated in {})", -moves),
                Self::Th => format!(" (ถูกรุกจนใน {} ตา)", -moves),
            },
            None => String::new(),
        };
        format!("{}: {text}{score}", self.pick("Hint", "แนะนำ"))
    }

    /// How a game ended: the result, who has won, and by which rule.
    pub(super) fn outcome(self, outcome: Outcome) -> String {
        let reason = match outcome {
            Outcome::Win(_, WinReason::Checkmate) => self.pick("checkmate", "รุกจน"),
            Outcome::Win(_, WinReason::NoMoves) => {
                self.pick("the other side has no move", "อีกฝ่ายไม่มีตาเดิน")
            }
            Outcome::Draw(reason) => match reason {
                DrawReason::Stalemate => self.pick("stalemate", "อับ"),
                DrawReason::Counting => self.pick("the count has run out", "นับครบศักดิ์"),
                DrawReason::Repetition => self.pick("the position has been repeated", "รูปหมากซ้ำ"),
                DrawReason::NMoveRule => {
                    self.pick("too many moves without progress", "เดินครบจำนวนตาโดยไม่มีความคืบหน้า")
                }
                DrawReason::DeadPosition => {
                    self.pick("nobody can win with these men", "หมากที่เหลือรุกจนไม่ได้")
                }
                DrawReason::LoneKings => self.pick("kings alone", "เหลือฮอสฝ่ายละตัว"),
                DrawReason::GameLength => self.pick("the longest game allowed", "ครบจำนวนตาสูงสุด"),
            },
        };
        let who = match outcome.winner() {
            Some(color) => match self {
                Self::En => format!("{} wins", self.color(color)),
                Self::Th => format!("ฝ่าย{}ชนะ", self.color(color)),
            },
            None => self.pick("Draw", "เสมอ").to_owned(),
        };
        format!("{} {who}: {reason}", outcome.score_text())
    }

    pub(super) fn resigns(self, winner: Color) -> String {
        match self {
            Self::En => format!("{} resigns, {} wins.", self.color(!winner), self.color(winner)),
            Self::Th => format!("ฝ่าย{}ยอมแพ้ ฝ่าย{}ชนะ", self.color(!winner), self.color(winner)),
        }
    }

    pub(super) fn out_of_time(self, winner: Color) -> String {
        match self {
            Self::En => {
                format!("{} has run out of time, {} wins.", self.color(!winner), self.color(winner))
            }
            Self::Th => format!("ฝ่าย{}หมดเวลา ฝ่าย{}ชนะ", self.color(!winner), self.color(winner)),
        }
    }

    pub(super) fn no_clocks(self) -> &'static str {
        self.pick("The game goes on without clocks.", "เล่นต่อโดยไม่จับเวลา")
    }

    pub(super) fn clocks(self, seconds: [u64; 2]) -> String {
        let clock = |color: Color| {
            let seconds = seconds[color.index()];
            format!("{} {}:{:02}", self.color(color), seconds / 60, seconds % 60)
        };
        format!("{}   {}", clock(Color::White), clock(Color::Black))
    }

    /// The count that runs in a game that goes on, in a line; `None` if none matters.
    pub(super) fn count_note(self, clocks: &[Clock]) -> Option<String> {
        match self {
            Self::En => count::note(clocks).map(|note| capitalised(&note)),
            Self::Th => {
                let clock = clocks.iter().find(|clock| count::is_count(clock.kind))?;
                Some(self.thai_clock(clock, false))
            }
        }
    }

    /// All about the counts, of a game that may be over.
    pub(super) fn count(
        self,
        clocks: &[Clock],
        rules: GameRules,
        side: Color,
        over: bool,
    ) -> String {
        match self {
            Self::En => count::describe(clocks, rules, side, over),
            Self::Th if clocks.is_empty() => "ยังไม่มีการนับ".to_owned(),
            Self::Th => {
                let lines: Vec<String> = clocks.iter().map(|c| self.thai_clock(c, over)).collect();
                lines.join("\n")
            }
        }
    }

    fn thai_clock(self, clock: &Clock, over: bool) -> String {
        let name = match clock.kind {
            ClockKind::BoardHonour => "นับศักดิ์กระดาน",
            ClockKind::PiecesHonour => "นับศักดิ์หมาก",
            ClockKind::AseanCount => "นับเมื่อเหลือขุนตัวเดียว",
            ClockKind::FiftyMoves => "กติกา 50 ตา",
            ClockKind::QuietMoves => "กติกาเดินไม่คืบหน้า",
            ClockKind::GameLength => "จำนวนตาสูงสุดของเกม",
        };
        let who = clock.counting.map_or_else(String::new, |c| format!(" ฝ่าย{}นับ", self.color(c)));
        let (counted, limit) = (clock.counted / 2, clock.limit / 2);
        let left = match clock.remaining {
            _ if over => " (จบเกมแล้ว)".to_owned(),
            u32::MAX => String::new(),
            plies => format!(" เหลือ {} ตา", plies.div_ceil(2)),
        };
        format!("{name}{who}: {counted}/{limit}{left}")
    }

    /// What can be typed. `examples`: a legal move, in every way that it can be written.
    pub(super) fn help(self, variant: Variant, examples: &[String]) -> String {
        let commands = self.pick(
            "\
hint        what Hanuman would play in your place
undo        take the last move back (and Hanuman's answer)
count       the running count in words
moves       all legal moves
board, fen  show the board, or the position as text
go          Hanuman plays this side from now on
level N     Hanuman's strength, 1 to 10
flip        turn the board
save FILE   add the game to a PGN or PDN file
new         another game
resign, quit",
            "\
hint        ให้หนุมานแนะนำ
undo        ถอยตาล่าสุด (รวมตาตอบของหนุมาน)
count       การนับศักดิ์
moves       ตาเดินทั้งหมด
board, fen  แสดงกระดาน หรือรูปหมากเป็นข้อความ
go          ให้หนุมานเล่นฝ่ายนี้ต่อไป
level N     ระดับฝีมือ 1 ถึง 10
flip        กลับกระดาน
save FILE   บันทึกเกมลงแฟ้ม PGN หรือ PDN
new         เกมใหม่
resign      ยอมแพ้
quit        เลิก",
        );
        let examples = match self {
            _ if examples.is_empty() => String::new(),
            Self::En => format!(", here for example {}", examples.join(" or ")),
            Self::Th => format!(" เช่น {}", examples.join(" หรือ ")),
        };
        let special = match variant {
            Variant::Makruk => self.pick("e6=M promotes", "e6=M หงายเบี้ย"),
            Variant::Asean => self.pick("e8=Q promotes", "e8=Q เลื่อนเบี้ย"),
            Variant::Makhos => self.pick("26x17 takes", "26x17 กิน"),
        };
        let (a_move, then) = (self.pick("a move", "ตาเดิน"), self.pick("; ", "  "));
        format!("MOVE        {a_move}{examples}{then}{special}\n{commands}")
    }
}
