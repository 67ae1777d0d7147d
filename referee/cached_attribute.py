"""Cached attributes: worked out when they are first asked for, and kept from then on."""

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

Found = TypeVar("Found")


class cached_attribute(Generic[Found]):
    """What `functools.cached_property` does, without a lock.

    Before Python 3.12 that holds one lock for all values of a class while it works one out: of several threads that
    answer at once each then waits for all others, again and again. Two threads may find the same twice; it is the same.
    """

    def __init__(self, find: Callable[[Any], Found]) -> None:
        self._find = find
        self.__doc__ = find.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type) -> Found: ...

    def __get__(self, instance: object | None, owner: type) -> Self | Found:
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._find(instance)  # found there from now on, before this is asked
        return value
