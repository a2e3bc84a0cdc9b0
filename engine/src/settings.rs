//! The state behind the options.

use movegen::{
    AseanPromotion, ChessRules, Color, CountingRule, DeadPosition, LoneKings, MakhosRules,
    PawnCapture, QuietReset, Removal, RuleSet, Variant,
};
use search::SearchOptions;

use crate::book;
use crate::dispatch::GameRules;
use crate::endgame;
use crate::networks;
use crate::options::Effect;

/// Everything that options set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Which game is played.
    pub variant: Variant,
    /// The named rule set.
    pub rule_set: RuleSet,
    /// Single rules that differ from the rule set.
    pub overrides: Overrides,
    /// What the search is told, except the strength limit.
    pub search: SearchOptions,
    /// Whether `elo` counts.
    pub limit_strength: bool,
    /// Strength to play at.
    pub elo: u32,
    /// The front end may let the engine think on the opponent's time.
    pub ponder: bool,
    /// Show win, draw and loss chances.
    pub show_wdl: bool,
    /// Where to log input and output; empty for nowhere.
    pub log_file: String,
    /// The networks that were asked for: see [`Networks`](crate::networks::Networks).
    pub eval_file: String,
    /// The endgame tables that were asked for: see [`open`](crate::endgame::open).
    pub table_path: String,
    /// Book moves are played without a search.
    pub own_book: bool,
    /// The book that was asked for: see [`Books`](crate::book::Books).
    pub book_file: String,
    /// Moves of each side after which the book is closed.
    pub book_depth: u32,
}

/// Single rules that the user has set. They are applied after the rule set, in whichever order the
/// two were sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Overrides {
    /// See [`ChessRules::pawn_capture`].
    pub pawn_capture: Option<PawnCapture>,
    /// See [`ChessRules::counting`].
    pub counting: Option<CountingRule>,
    /// See [`ChessRules::repetition`].
    pub repetition: Option<bool>,
    /// See [`ChessRules::fifty_move_rule`].
    pub fifty_move_rule: Option<bool>,
    /// See [`ChessRules::dead_position`].
    pub dead_position: Option<DeadPosition>,
    /// See [`ChessRules::asean_promotion`].
    pub asean_promotion: Option<AseanPromotion>,
    /// See [`ChessRules::max_game_moves`].
    pub max_game_moves: Option<u16>,
    /// See [`ChessRules::board_count_start`].
    pub board_count_start: Option<i32>,
    /// See [`MakhosRules::first`].
    pub makhos_first: Option<Color>,
    /// See [`MakhosRules::removal`].
    pub makhos_removal: Option<Removal>,
    /// See [`MakhosRules::reverse`].
    pub makhos_reverse: Option<bool>,
    /// See [`MakhosRules::repetition`].
    pub makhos_repetition: Option<u8>,
    /// See [`MakhosRules::quiet_plies`].
    pub makhos_quiet_plies: Option<u16>,
    /// See [`MakhosRules::quiet_reset`].
    pub makhos_quiet_reset: Option<QuietReset>,
    /// See [`MakhosRules::lone_kings`].
    pub makhos_lone_kings: Option<LoneKings>,
}

fn put<T>(field: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *field = value;
    }
}

impl Overrides {
    fn apply_chess(&self, rules: &mut ChessRules) {
        put(&mut rules.pawn_capture, self.pawn_capture);
        put(&mut rules.counting, self.counting);
        put(&mut rules.repetition, self.repetition);
        put(&mut rules.fifty_move_rule, self.fifty_move_rule);
        put(&mut rules.dead_position, self.dead_position);
        put(&mut rules.asean_promotion, self.asean_promotion);
        put(&mut rules.max_game_moves, self.max_game_moves);
        put(&mut rules.board_count_start, self.board_count_start);
    }

    fn apply_makhos(&self, rules: &mut MakhosRules) {
        put(&mut rules.first, self.makhos_first);
        put(&mut rules.removal, self.makhos_removal);
        put(&mut rules.reverse, self.makhos_reverse);
        put(&mut rules.repetition, self.makhos_repetition);
        put(&mut rules.quiet_plies, self.makhos_quiet_plies);
        put(&mut rules.quiet_reset, self.makhos_quiet_reset);
        put(&mut rules.lone_kings, self.makhos_lone_kings);
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            variant: Variant::Makruk,
            rule_set: RuleSet::Standard,
            overrides: Overrides::default(),
            search: SearchOptions::default(),
            limit_strength: false,
            elo: 1500,
            ponder: false,
            show_wdl: false,
            log_file: String::new(),
            eval_file: networks::BUILT_IN.to_owned(),
            table_path: endgame::BUILT_IN.to_owned(),
            own_book: false,
            book_file: book::BUILT_IN.to_owned(),
            book_depth: 255,
        }
    }
}

impl Settings {
    /// Chooses a game. The rule set stays if the game has one of that name (match runners send
    /// their options before the game), else it is played by its standard rules. Single rules that
    /// were set stay set.
    pub fn choose_game(&mut self, variant: Variant) {
        self.variant = variant;
        if !self.rule_set.exists_in(variant) {
            self.rule_set = RuleSet::Standard;
        }
    }

    /// Chooses a rule set.
    ///
    /// # Errors
    /// If the game has no such rule set; the text says which it has.
    pub fn choose_rule_set(&mut self, set: RuleSet) -> Result<(), String> {
        if !set.exists_in(self.variant) {
            let known: Vec<&str> =
                RuleSet::of(self.variant).iter().map(|known| known.name()).collect();
            let (name, game) = (set.name(), self.variant.name());
            return Err(format!("{game} has no rule set '{name}', only {}", known.join(", ")));
        }
        self.rule_set = set;
        Ok(())
    }

    /// Sets a single rule. The standard value under the standard rule set is no override: many
    /// front ends send every default back, and that must not pin the rule against a rule set
    /// chosen later.
    pub(crate) fn overrule<T: Copy + PartialEq>(
        &mut self,
        value: T,
        standard: T,
        slot: fn(&mut Overrides) -> &mut Option<T>,
    ) -> Effect {
        let follows = self.rule_set == RuleSet::Standard && value == standard;
        *slot(&mut self.overrides) = (!follows).then_some(value);
        Effect::Rules
    }

    /// The game and the rules in force.
    pub fn game_rules(&self) -> GameRules {
        let mut rules = GameRules::preset(self.variant, self.rule_set)
            .unwrap_or_else(|| GameRules::standard(self.variant));
        match &mut rules {
            GameRules::Makruk(rules) | GameRules::Asean(rules) => {
                self.overrides.apply_chess(rules);
            }
            GameRules::Makhos(rules) => self.overrides.apply_makhos(rules),
        }
        rules
    }

    /// What the search is told.
    pub fn search_options(&self) -> SearchOptions {
        SearchOptions { limit_elo: self.limit_strength.then_some(self.elo), ..self.search.clone() }
    }
}
