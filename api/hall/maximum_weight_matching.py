"""Maximum-weight matching: which of these go together so that the sum of their weights is greatest.

Edmonds' blossom algorithm in the primal-dual form of Galil, in time by the cube of the number of vertices. Weights are
whole numbers above nothing, so that no duality is a matter of rounding; a pair without one cannot be matched. The
textbook: Galil, Efficient Algorithms for Finding Maximum Matching in Graphs, ACM Computing Surveys 18 (1986).
"""

from collections import deque
from collections.abc import Mapping

Edge = tuple[int, int]
_FREE, _EVEN, _ODD = -1, 0, 1


def match_maximum_weight(count: int, weights: Mapping[Edge, int]) -> set[Edge]:
    """The pairs (i, j), i < j < `count`, of a matching of the greatest sum. `weights`: of each pair that may be."""
    search = _BlossomSearch(count, {(min(edge), max(edge)): 2 * weight for edge, weight in weights.items()})
    while search.augment_once():
        pass
    partners = search.partners()
    return {(i, j) for i, j in partners.items() if i < j}


class _BlossomSearch:
    """Vertices are 1 to n, blossoms the numbers behind; 0 is none. Labels are the dual variables, doubled."""

    def __init__(self, count: int, weights: Mapping[Edge, int]) -> None:
        self._n = self._top = count
        size = 2 * count + 2
        self._edges: list[list[tuple[int, int, int]]] = [[(u, v, 0) for v in range(size)] for u in range(size)]
        for (i, j), weight in weights.items():
            self._edges[i + 1][j + 1] = (i + 1, j + 1, weight)
            self._edges[j + 1][i + 1] = (j + 1, i + 1, weight)
        heaviest = max(weights.values(), default=0)
        self._label = [heaviest if 0 < u <= count else 0 for u in range(size)]
        self._match = [0] * size
        self._slack = [0] * size
        self._root = [u if u <= count else 0 for u in range(size)]
        self._parent = [0] * size
        self._side = [_FREE] * size
        self._seen = [0] * size
        self._round = 0
        self._petals: list[list[int]] = [[] for _ in range(size)]
        self._within = [[u if u == v else 0 for v in range(count + 1)] for u in range(size)]
        self._queue: deque[int] = deque()

    def partners(self) -> dict[int, int]:
        return {u - 1: self._match[u] - 1 for u in range(1, self._n + 1) if self._match[u]}

    def augment_once(self) -> bool:
        """Make the matching larger by a pair; whether that makes its sum greater."""
        for x in range(1, self._top + 1):
            self._side[x], self._slack[x] = _FREE, 0
        self._queue.clear()
        for x in self._outer():
            if not self._match[x]:
                self._parent[x], self._side[x] = 0, _EVEN
                self._enqueue(x)
        if not self._queue:
            return False
        while True:
            if self._grow():
                return True
            if not self._change_labels():
                return False
            self._queue.clear()
            if self._take_tight():
                return True
            for b in range(self._n + 1, self._top + 1):
                if self._root[b] == b and self._side[b] == _ODD and self._label[b] == 0:
                    self._expand(b)

    def _outer(self) -> list[int]:
        return [x for x in range(1, self._top + 1) if self._root[x] == x]

    def _gap(self, edge: tuple[int, int, int]) -> int:
        u, v, _ = edge
        return self._label[u] + self._label[v] - 2 * self._edges[u][v][2]

    def _grow(self) -> bool:
        while self._queue:
            u = self._queue.popleft()
            if self._side[self._root[u]] == _ODD:
                continue
            for v in range(1, self._n + 1):
                edge = self._edges[u][v]
                if edge[2] > 0 and self._root[u] != self._root[v]:
                    if self._gap(edge) == 0:
                        if self._take_edge(edge):
                            return True
                    else:
                        self._note_slack(u, self._root[v])
        return False

    def _change_labels(self) -> bool:
        """By as much as makes the next edge tight; False where the sum cannot grow any more."""
        step = min(self._label[u] for u in range(1, self._n + 1) if self._side[self._root[u]] == _EVEN)
        last = step
        for x in self._outer():
            if x > self._n and self._side[x] == _ODD:
                step = min(step, self._label[x] // 2)
            if self._slack[x]:
                gap = self._gap(self._edges[self._slack[x]][x])
                if self._side[x] == _FREE:
                    step = min(step, gap)
                elif self._side[x] == _EVEN:
                    step = min(step, gap // 2)
        if step >= last:
            return False
        for u in range(1, self._n + 1):
            side = self._side[self._root[u]]
            self._label[u] += step if side == _ODD else -step if side == _EVEN else 0
        for b in self._outer():
            if b > self._n:
                self._label[b] += 2 * step if self._side[b] == _EVEN else -2 * step if self._side[b] == _ODD else 0
        return True

    def _take_tight(self) -> bool:
        for x in range(1, self._top + 1):
            if self._root[x] == x and self._slack[x] and self._root[self._slack[x]] != x:
                edge = self._edges[self._slack[x]][x]
                if self._gap(edge) == 0 and self._take_edge(edge):
                    return True
        return False

    def _note_slack(self, u: int, x: int) -> None:
        if not self._slack[x] or self._gap(self._edges[u][x]) < self._gap(self._edges[self._slack[x]][x]):
            self._slack[x] = u

    def _find_slack(self, x: int) -> None:
        self._slack[x] = 0
        for u in range(1, self._n + 1):
            if self._edges[u][x][2] > 0 and self._root[u] != x and self._side[self._root[u]] == _EVEN:
                self._note_slack(u, x)

    def _enqueue(self, x: int) -> None:
        if x <= self._n:
            self._queue.append(x)
        else:
            for petal in self._petals[x]:
                self._enqueue(petal)

    def _set_root(self, x: int, root: int) -> None:
        self._root[x] = root
        for petal in self._petals[x] if x > self._n else ():
            self._set_root(petal, root)

    def _even_place(self, b: int, petal: int) -> int:
        """Where the petal lies, counted the way round on which that is even."""
        petals = self._petals[b]
        place = petals.index(petal)
        if place % 2 == 0:
            return place
        petals[1:] = reversed(petals[1:])
        return len(petals) - place

    def _set_match(self, u: int, v: int) -> None:
        edge = self._edges[u][v]
        self._match[u] = edge[1]
        if u > self._n:
            petal = self._within[u][edge[0]]
            place = self._even_place(u, petal)
            for i in range(place):
                self._set_match(self._petals[u][i], self._petals[u][i ^ 1])
            self._set_match(petal, v)
            self._petals[u] = self._petals[u][place:] + self._petals[u][:place]

    def _augment(self, u: int, v: int) -> None:
        while True:
            before = self._root[self._match[u]]
            self._set_match(u, v)
            if not before:
                return
            self._set_match(before, self._root[self._parent[before]])
            u, v = self._root[self._parent[before]], before

    def _find_meeting(self, u: int, v: int) -> int:
        self._round += 1
        while u or v:
            if u:
                if self._seen[u] == self._round:
                    return u
                self._seen[u] = self._round
                u = self._root[self._match[u]]
                u = self._root[self._parent[u]] if u else 0
            u, v = v, u
        return 0

    def _take_edge(self, edge: tuple[int, int, int]) -> bool:
        """A tight edge grows the tree, closes a blossom, or joins two trees: only then is it True."""
        u, v = self._root[edge[0]], self._root[edge[1]]
        if self._side[v] == _FREE:
            self._parent[v], self._side[v] = edge[0], _ODD
            mate = self._root[self._match[v]]
            self._slack[v] = self._slack[mate] = 0
            self._side[mate] = _EVEN
            self._enqueue(mate)
        elif self._side[v] == _EVEN:
            meeting = self._find_meeting(u, v)
            if not meeting:
                self._augment(u, v)
                self._augment(v, u)
                return True
            self._close_blossom(u, meeting, v)
        return False

    def _close_blossom(self, u: int, meeting: int, v: int) -> None:
        b = self._n + 1
        while b <= self._top and self._root[b]:
            b += 1
        self._top = max(self._top, b)
        self._label[b], self._side[b], self._match[b] = 0, _EVEN, self._match[meeting]
        self._petals[b] = [meeting, *reversed(self._climb(u, meeting)), *self._climb(v, meeting)]
        self._set_root(b, b)
        for x in range(1, self._top + 1):
            self._edges[b][x] = (b, x, 0)
            self._edges[x][b] = (x, b, 0)
        self._within[b] = [0] * (self._n + 1)
        for petal in self._petals[b]:
            for x in range(1, self._top + 1):
                mine, its = self._edges[b][x], self._edges[petal][x]
                if mine[2] == 0 or (its[2] > 0 and self._gap(its) < self._gap(mine)):
                    self._edges[b][x], self._edges[x][b] = its, self._edges[x][petal]
            for x in range(1, self._n + 1):
                if self._within[petal][x]:
                    self._within[b][x] = petal
        self._find_slack(b)

    def _climb(self, x: int, meeting: int) -> list[int]:
        """The petals from here up to where the two paths meet."""
        petals: list[int] = []
        while x != meeting:
            mate = self._root[self._match[x]]
            petals += [x, mate]
            self._enqueue(mate)
            x = self._root[self._parent[mate]]
        return petals

    def _expand(self, b: int) -> None:
        for petal in self._petals[b]:
            self._set_root(petal, petal)
        first = self._within[b][self._edges[b][self._parent[b]][0]]
        place = self._even_place(b, first)
        petals = self._petals[b]
        for i in range(0, place, 2):
            odd, even = petals[i], petals[i + 1]
            self._parent[odd] = self._edges[even][odd][0]
            self._side[odd], self._side[even] = _ODD, _EVEN
            self._slack[odd] = 0
            self._find_slack(even)
            self._enqueue(even)
        self._side[first], self._parent[first] = _ODD, self._parent[b]
        for petal in petals[place + 1 :]:
            self._side[petal] = _FREE
            self._find_slack(petal)
        self._root[b] = 0
