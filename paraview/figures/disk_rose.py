"""Directions of the contacts of a layer of disks that was rained (Moreau 2004, sec. 3.3)."""
from rose import rose

rose("Rain of 2000 disks: two oblique directions", 1.4)
