"""The provider and its place in QGIS."""

from qgis.core import QgsApplication, QgsProcessingProvider

from .rockfall import Rockfall


class Provider(QgsProcessingProvider):
    """Algorithms that run the program klast."""

    def loadAlgorithms(self):
        self.addAlgorithm(Rockfall())

    def id(self):
        return "klast"

    def name(self):
        return "klast"


class Plugin:
    """Adds the provider, with and without a window."""

    def __init__(self):
        self.provider = None

    def initProcessing(self):
        self.provider = Provider()
        QgsApplication.processingRegistry().addProvider(self.provider)

    def initGui(self):
        self.initProcessing()

    def unload(self):
        if self.provider is not None:
            QgsApplication.processingRegistry().removeProvider(self.provider)
