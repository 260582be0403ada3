"""Directions of the contacts of a layer of polygons that was rained (Moreau 2004, Fig. 2)."""
from rose import rose

rose("Rain of polygons: two oblique directions", 1.6)
