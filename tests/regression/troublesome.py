"""Nodes that make trouble, for an agent's tree: ``use: troublesome:broken``."""

import os
import time

from py_trees.behaviour import Behaviour


def broken(context, mission):
    raise ZeroDivisionError("nobody has made this node")


class Raises(Behaviour):
    def update(self):
        raise ZeroDivisionError("a node went wrong")


def raises(context, mission):
    return Raises("raises")


class Waits(Behaviour):
    def update(self):
        time.sleep(0.05)
        return self.status.RUNNING


def waits(context, mission):
    return Waits("waits")


class Sleeps(Behaviour):
    def update(self):
        time.sleep(600)
        return self.status.RUNNING


def sleeps(context, mission):
    return Sleeps("sleeps")


class Vanishes(Behaviour):
    def update(self):
        os._exit(3)


def vanishes(context, mission):
    return Vanishes("vanishes")
