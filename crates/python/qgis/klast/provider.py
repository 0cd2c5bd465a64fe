"""The provider and its place in QGIS."""

import os

from qgis.core import QgsApplication, QgsProcessingProvider
from qgis.PyQt.QtGui import QIcon

from .rockfall import Rockfall


class Provider(QgsProcessingProvider):
    """Algorithms that run the program klast."""

    def loadAlgorithms(self):
        self.addAlgorithm(Rockfall())

    def id(self):
        return "klast"

    def name(self):
        return "klast"

    def icon(self):
        return QIcon(os.path.join(os.path.dirname(__file__), "icon.svg"))


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
