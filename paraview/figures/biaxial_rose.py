"""Directions of the contacts of a biaxial test."""
from rose import rose

rose("Contact directions; the circle is the uniform distribution", 1.5)
