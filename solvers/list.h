/* The built-in solvers, one line each: DLS_SOLVER(name) stands for dls_solver_name in
 * solvers/name.c. Included where DLS_SOLVER is defined, as often as needed. */
DLS_SOLVER(auto)
DLS_SOLVER(nsgs)
DLS_SOLVER(momentum)
DLS_SOLVER(proximal)
DLS_SOLVER(uzawa)
DLS_SOLVER(jacobi)
DLS_SOLVER(apgd)
DLS_SOLVER(bb)
DLS_SOLVER(cpg)
DLS_SOLVER(aclm)
DLS_SOLVER(tresca)
DLS_SOLVER(enumerate)
