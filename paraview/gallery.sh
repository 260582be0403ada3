#!/bin/sh
# Makes docs/pictures/gallery: runs the decks into out/gallery (what is there already is taken), then one figure after
# the other. `make gallery` calls it; with names it makes these figures alone:   paraview/gallery.sh silo_chains pyramid
set -eu
cd "$(dirname "$0")/.."
program=build/bin/delassus
runs=out/gallery
pictures=docs/pictures/gallery
wanted=" $* "
mkdir -p "$pictures"

# run NAME DECK KEY=VALUE...: exit status 1 means that some step missed the tolerance; the figures do not mind.
run() {
  name=$1 deck=$2
  shift 2
  [ ! -f "$runs/$name/summary.json" ] || return 0
  echo "run    $name"
  for setting in "$@"; do set -- "$@" --set "$setting"; shift; done
  $program run "input/$deck.yaml" --out "$runs/$name" --quiet "$@" || [ $? -eq 1 ]
}

asked() { [ "$wanted" = "  " ] || case "$wanted" in *" $1 "*) true ;; *) false ;; esac; }

# figure SCRIPT RUN DECK KEY=VALUE...
figure() {
  script=$1
  shift
  asked "$script" || return 0
  run "$@"
  echo "figure $script"
  paraview/pvbatch.sh "paraview/figures/$script.py" "$runs/$1" "$pictures/$script.png"
}

# drawing NAME COMMAND...: an SVG that the program itself draws.
drawing() {
  name=$1
  shift
  asked "$name" || return 0
  echo "draw   $name"
  "$@" > /dev/null
}

silo() { figure "$1" silo silo time.end=0.4 output.every=0.1; }
discharge() { figure "$1" discharge silo time.end=0.7 output.every=0.1; }
biaxial() { figure "$1" biaxial biaxial 'output.post=[stress,kinetic,splits,fabric]'; }
deposit() { figure "$1" deposit deposit time.end=0.5 'output.post=[stress]'; }
# The coarse-grained field first, into the folder of the run.
field() {
  asked "$1" || return 0
  run biaxial biaxial 'output.post=[stress,kinetic,splits,fabric]'
  $program post field $runs/biaxial --grid 61x61 --kernel gauss:1.5d --out $runs/biaxial/field.vtu > /dev/null
  biaxial "$1"
}
drum() { figure "$1" drum drum; }

silo silo_chains
silo silo_load
discharge silo_discharge
biaxial biaxial_chains
biaxial biaxial_stress
biaxial biaxial_deviator
biaxial biaxial_tensors
field biaxial_field
biaxial biaxial_probe
biaxial biaxial_mohr
biaxial biaxial_cuts
biaxial biaxial_rose
deposit deposit_chains
deposit deposit_ellipsoids
deposit deposit_weight
deposit deposit_rose
drum drum_velocity
drum drum_status
figure pyramid pyramid pyramid
figure powder_net powder-net powder 'laws[0].parameters.rolling.roll_ratio=0' 'laws[0].parameters.rolling.torsion_ratio=0'
figure impact impact impact time.end=0.1
figure hourglass hourglass hourglass time.end=0.6
figure crowd crowd crowd time.end=5
figure pour pour pour time.end=1
shaken() { # NAME RUN OPTION...: displacements
  asked "$1" || return 0
  name=$1 folder=$runs/$2
  shift 2
  drawing "$name" $program post displacements "$folder" "$@" --svg "$pictures/$name.svg"
}
! asked shaken_disks || run shaken-disks shaken-disks time.end=30.2
shaken shaken_disks shaken-disks --from 0.2 --to 1
! asked shaken_disks_way || run shaken-disks shaken-disks time.end=30.2
drawing shaken_disks_way $program post trajectory $runs/shaken-disks --body 500,1 --svg $pictures/shaken_disks_way.svg
! asked shaken_beads || run shaken-beads shaken-beads 'grains[0].sizes={kind: uniform, min: 0.74 mm, max: 0.76 mm}'
shaken shaken_beads shaken-beads --from 0.4
! asked shaken_vessel || run shaken-vessel shaken-vessel
shaken shaken_vessel shaken-vessel --meridian --from 0.4 --to 0.8 --region box:-1,-0.001,-1:1,0.001,1
! asked shaken_bottom || run shaken-bottom shaken-bottom
shaken shaken_bottom shaken-bottom --from 0.4 --to 1.8
figure vibrated_box vibrated-box vibrated-box time.end=0.4
figure shaken_box shaken-box shaken-box
figure footprint footprint footprint
figure chain chain chain
figure mortar mortar mortar
figure capillary capillary capillary
figure mohr_coulomb mohr-coulomb mohr-coulomb
figure soft_spheres soft-spheres soft-spheres
# Piles and layers.
figure disk_rose disk-rain disk-rain 'sources[0].limit=2000' 'sources[0].rate=1600' 'sources[0].region.low=[-1.2,0.25]' \
  'sources[0].region.high=[1.2,0.35]' 'boundaries.left.position=[-1.2,0]' 'boundaries.right.position=[1.2,0]'
figure sphere_directions sphere-rain sphere-rain 'sources[0].limit=4000' 'sources[0].rate=3200' \
  'sources[0].region.low=[-0.16,-0.16,0.16]' 'sources[0].region.high=[0.16,0.16,0.26]' 'boundaries.box.length=[0.32,0.32,0.4]'
figure rolling_heap rolling-heap rolling-heap
figure bank_disks bank-disks bank-disks
figure cone cone cone
# Grains with corners.
ballast() { figure "$1" ballast ballast; }
bank() { figure "$1" bank bank time.end=16; }
rain() { figure "$1" polygon-rain polygon-rain; }
ballast ballast
bank bank
bank bank_chains
figure polygon_chains biaxial-polygons biaxial-polygons
rain polygon_rain
rain polygon_rose
figure dominoes dominoes dominoes time.end=0.5
figure rocking_block rocking-block rocking-block time.end=0.7 output.every=0.1
figure arch arch arch time.end=0.1 'output.post=[stress]'
figure arch_falls arch-falls arch-falls time.end=0.9
figure tilting_arch tilting-arch tilting-arch time.end=1.8
figure pushover pushover pushover
figure vault vault vault time.end=0.04
figure vault_quake vault-falls vault-quake ground.scale=8 time.end=1.2 solver.max_iterations=50000
figure column column column time.end=1
figure dry_stone dry-stone dry-stone 'output.post=[stress]'
figure masonry_2d masonry-2d masonry-2d time.end=0.8
figure masonry_3d masonry-3d masonry-3d time.end=0.6
figure shaken_wall shaken-wall shaken-wall time.end=1
figure voronoi voronoi voronoi time.end=0.1 'output.post=[stress]'
figure hopper_mesh hopper-mesh hopper-mesh time.end=0.6
# Deformable bodies.
figure bar_wave bar-on-wall bar-on-wall output.every=0.05
figure punch_stress punch punch
if asked press; then run press-nodes press 'bodies[0].deformable.contact.points=nodes' 'bodies[1].deformable.contact.points=nodes'; fi
figure press press press
figure pin_in_bore pin-in-bore pin-in-bore
figure cantilever cantilever cantilever
figure deformable_disks deformable-disks deformable-disks
figure wheel wheel wheel
# The aqueduct is no deck of ours: it is imported where the public scene is at hand.
scene=${DELASSUS_SHARED:-../shared}/scenes/Aqueduc_PR
if asked aqueduct && [ -d "$scene" ]; then
  [ -f "$runs/aqueduct/summary.json" ] || {
    mkdir -p "$runs"
    $program import lmgc90 "$scene" -o "$runs/aqueduct.yaml" --step 1e-3 --end 0.02
    $program run "$runs/aqueduct.yaml" --out "$runs/aqueduct" --quiet
  }
  echo "figure aqueduct"
  paraview/pvbatch.sh paraview/figures/aqueduct.py "$runs/aqueduct" "$pictures/aqueduct.png"
fi
# The balance of coarse-grained fields against the width of the kernel.
if asked field_balance; then
  run settled hydrostatic 'grains[0].count=300' 'grains[0].region.high=[0.2,0.12]' 'boundaries.right.position=[0.2,0]' \
    solver.tolerance=1e-7 time.end=0.6 output.every=0
fi
drawing field_balance /usr/bin/python3 paraview/figures/field_balance.py $program $runs/settled $pictures/field_balance.svg
# Maury's numerical tests: ways of bodies as curves.
figure large_steps large-steps large-steps output.every=0.1
figure gluey_pack gluey-pack gluey-pack
# ways NAME RUN BODIES TITLE COLUMN...
ways() {
  name=$1 folder=$runs/$2 bodies=$3 title=$4
  shift 4
  $program post trajectory "$folder" --body "$bodies" --csv "$folder/ways.csv"
  $program plot "$folder/ways.csv" t "$@" --title "$title" --out "$pictures/$name.svg"
}
if asked sticky_row; then run sticky-row sticky-row; fi
drawing sticky_row ways sticky_row sticky-row 6,7,8,9,10,11,12,13 "Sticky row: eight of the twenty" x_6 x_7 x_8 x_9 x_10 x_11 x_12 x_13
if asked two_solutions_a; then run two-solutions-a dyadic-force; fi
drawing two_solutions_a ways two_solutions_a two-solutions-a 1 "h = 2^-8 s" y_1-0.1
if asked two_solutions_b; then run two-solutions-b dyadic-force time.step=0.001953125; fi
drawing two_solutions_b ways two_solutions_b two-solutions-b 1 "h = 2^-9 s" y_1-0.1
if asked langevin; then run langevin langevin 'grains[0].region.high=[0.01,0.002]' output.every=0.00390625; fi
drawing langevin ways langevin langevin 1,2,3,4,5 "Five walkers" y_1-1e-3 y_2-1e-3 y_3-1e-3 y_4-1e-3 y_5-1e-3
if asked fluids; then run fluids fluids; fi
drawing fluids ways fluids fluids 1,2,3,4,5,6 "Gaps: molasses, honey, castor oil, olive oil, blood, the limit" z_1-0.025 z_2-0.025 \
  z_3-0.025 z_4-0.025 z_5-0.025 z_6-0.025
# A study: finished runs are kept, its figures are drawn anew.
triaxial() {
  $program study input/triaxial-study.yaml --out $runs/triaxial --quiet
  number=0
  for name in ratio dilation anisotropy coordination; do
    number=$((number + 1))
    cp "$runs/triaxial/figure_$number.svg" "$pictures/triaxial_$name.svg"
  done
}
drawing triaxial triaxial
# The picture that a run leaves.
sheared_cell() {
  run sheared-cell sheared-cell
  cp "$runs/sheared-cell/picture.svg" "$pictures/sheared_cell.svg"
}
drawing sheared_cell sheared_cell
drawing law_coulomb $program law draw coulomb --out $pictures/law_coulomb.svg
drawing law_cohesive $program law draw cohesive --out $pictures/law_cohesive.svg
