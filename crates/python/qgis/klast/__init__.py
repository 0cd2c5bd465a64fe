"""The plugin klast of QGIS: a Processing provider."""


def classFactory(iface):
    """What QGIS calls to load it; `iface` is None without a window."""
    from .provider import Plugin

    return Plugin()
