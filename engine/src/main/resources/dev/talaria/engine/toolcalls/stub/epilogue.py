

def _find(name):
    """Return a tool's function, by the tool's name or by the function's."""
    if name in _TOOLS:
        return _TOOLS[name]
    for function in _TOOLS.values():
        if function.__name__ == name:
            return function
    return None


class _Aio:
    """The tools for asyncio: `await aio.NAME(...)`, with the same parameters."""

    def __getattr__(self, name):
        function = _find(name)
        if function is None:
            raise AttributeError("aio has no tool '%s'" % name)
        from functools import wraps
        from types import FunctionType

        # The same code, in a scope where _call is the asyncio version and returns an awaitable.
        twin = FunctionType(function.__code__, dict(globals(), _call=_aio_call), name, function.__defaults__)

        @wraps(function)
        async def tool(*args, **kwargs):
            return await twin(*args, **kwargs)

        setattr(self, name, tool)
        return tool

    def __dir__(self):
        return sorted(function.__name__ for function in _TOOLS.values())


aio = _Aio()
__all__ = ["aio", "json_parse", "retry", "shell_quote"] + dir(aio)


def __getattr__(name):
    # A tool named like a Python builtin has another function name, but can also be imported by its own name.
    if name in _TOOLS:
        return _TOOLS[name]
    raise AttributeError("module '%s' has no attribute '%s'" % (__name__, name))
