"""Tables of a hall: each has a server of its own, and the judge's page looks at all of them.

One server a table, because a table's camera takes a processor core and more, because a table that fails must not take
the others with it, and because each keeps its own journal. So nothing here knows of several tables but a list of their
addresses, which any one of the servers keeps for the judge.

    GET /api/v1/glance     what a judge wants to know of this table from afar; pages of other tables may fetch it
    GET /api/v1/tables     the addresses of the tables the judge looks after
    PUT /api/v1/tables     {"tables": [{"name": "Table 4", "url": "http://192.168.1.24:8017"}]}

The page fetches `url` + `/api/v1/glance` of each by itself. To act at another table it opens that table's judge's page,
with that table's code.
"""
