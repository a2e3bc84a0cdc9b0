# For OpenBench and other systems that build engines with make: `make EXE=NAME` leaves the program NAME
# in this folder. People need nothing but cargo.
EXE ?= hanuman
CARGO ?= cargo

ifeq ($(OS),Windows_NT)
  SUFFIX := .exe
else
  SUFFIX :=
endif
BUILT := $(or $(CARGO_TARGET_DIR),target)/release/hanuman$(SUFFIX)

.PHONY: all check clean

all:
	$(CARGO) build --locked --release --package engine --bin hanuman
	cp "$(BUILT)" "$(EXE)$(if $(filter %$(SUFFIX),$(EXE)),,$(SUFFIX))"

check:
	scripts/check.sh

clean:
	$(CARGO) clean
