"""Hall: many tables, one hub. What every table writes reaches the hub in order and once; no table depends on it.

At a table `Sender` reads the journal's file, line by line, and hands each line over as an `Envelope` (CloudEvents)
by a `Transport`: HTTP to the hub itself, or NATS JetStream. The hub keeps the envelopes in a `HallStore`, SQLite or
PostgreSQL, and folds each table's lines, in their order and without a gap, into its `Cell`.

    TableLink     at the table: a thread of its own, so nothing of the hall ever waits in the table's way
    Sender        asks the hub for its newest line of this table, and goes on from there; a repeat is kept once
    Transport     HttpTransport, NatsTransport
    HallStore     lines, calls, orders; unique by journal id and line number, whatever a transport repeats

Two journals never mix: the hub binds a table's number to the id of one journal, and compares digests, so that a second
machine with the same number and a folder restored from an old copy are refused by name until a person decides.
"""
