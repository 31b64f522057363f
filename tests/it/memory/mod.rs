//! `annals memory`: what each command does, and what a look leaves alone.
