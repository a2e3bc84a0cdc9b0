# A small image with the program alone:
#   docker build --tag hanuman .
#   docker run --rm --interactive hanuman            UCI on standard input and output
#   docker run --rm --interactive --tty hanuman play
FROM rust:1-slim AS build
WORKDIR /hanuman
COPY . .
RUN cargo build --locked --release --package engine --bin hanuman

FROM debian:stable-slim
COPY --from=build /hanuman/target/release/hanuman /usr/local/bin/hanuman
USER nobody
ENTRYPOINT ["hanuman"]
