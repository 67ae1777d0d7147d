"""Seats: who sits where, and what each seat may do.

Whoever scans a code of the table, or types its six characters, gets a seat: player A, player B, judge, viewer or
overlay. One code serves both players: the first to come is player A. Several devices may hold one seat.

    GET  /j/K7M2QX             what a QR code holds: takes the seat, sets the cookie, goes on to the seat's page
    GET  /join                 where a code is typed; it leads to the same
    POST /api/v1/join          {"code": "K7M2QX"}: the same for programs; the answer holds a bearer token
    GET  /api/v1/seat          who I am, and my rights
    PUT  /api/v1/seat          {"seat": "player-b"}: a player takes the other chair
    GET  /api/v1/seats         how many devices hold each seat; the codes, for whoever may hand them out

Cookie and token survive a restart: the journal holds their hashes. Who has joined nothing is a `viewer`, at an open
table (`tableside demo`, `serve --open`) a `player-a`. A server that was given no `Seats`, as in many tests, trusts all.

In a route:

    @router.post("/rulings")
    def rule(ruling: NewRuling, seat: Annotated[Seat, needs(Right.RULE)]) -> Ruling: ...

Without the right the route is not entered, and the asker gets the problem `seat/not_allowed` (403).
"""
