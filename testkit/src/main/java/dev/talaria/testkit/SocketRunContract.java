package dev.talaria.testkit;

/// The contract of runs whose tool calls travel over a socket: the host's own or the relay's.
public abstract class SocketRunContract extends RunContract implements SocketRuns {}
