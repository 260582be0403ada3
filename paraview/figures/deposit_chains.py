"""Strong force chains of a deposit: contacts above the mean force."""
from figure import Figure

figure = Figure(640, 640)
figure.grains(opacity=0.05)
tubes = figure.chains(threshold=1.0)
figure.colour(tubes, "force_ratio", "Inferno (matplotlib)", "force / mean", span=(0, 6), invert=True)
figure.walls(opacity=0.5)
figure.caption("Deposit: contacts above the mean force")
figure.look().save()
