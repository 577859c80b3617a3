/* tape_tools.h - programs over one free vector, and their gradients against differences */
#ifndef BLN_TESTS_TAPE_TOOLS_H
#define BLN_TESTS_TAPE_TOOLS_H

/* Makes a program of `dim` free numbers that start at `start`; if that fails, *program is NULL and *report has the reason. */
static bln_status tape_make(bln_program_model model, void *user, size_t dim, const double *start, bln_program **program,
                            bln_report *report)
{
    bln_program_desc desc = BLN_ZERO;
    bln_program_parameter x = BLN_PARAMETER("x", 0, 1, FREE);
    *program = NULL;
    x.rows = dim;
    x.start = start;
    desc.model = model;
    desc.user = user;
    desc.parameters = &x;
    desc.n_parameters = 1;
    return bln_program_create(&desc, program, report);
}
static TEST_UNUSED bln_program *tape_program(bln_program_model model, void *user, size_t dim, const double *start,
                                             bln_report *report)
{
    bln_program *program;
    tape_make(model, user, dim, start, &program, report);
    return program;
}

/* The largest error of its gradient by bln_density_check: about 1e-9 for a right one; 1 if the program cannot be made. */
static TEST_UNUSED double tape_worst(bln_program_model model, void *user, size_t dim, const double *start)
{
    bln_report report;
    bln_program *program = tape_program(model, user, dim, start, &report);
    double worst = 1.0;
    if (!program) { printf("    no program: %s\n", report.text); return worst; }
    const bln_density d = bln_program_density(program);
    if (bln_density_check(&d, start, &worst, &report) != BLN_OK) printf("    %s\n", report.text);
    bln_program_free(program);
    return worst;
}

/* Value and gradient at q. */
static TEST_UNUSED bln_status tape_eval(bln_program_model model, void *user, size_t dim, const double *q, double *value,
                                        double *gradient)
{
    bln_report report;
    bln_program *program = tape_program(model, user, dim, q, &report);
    bln_status status = BLN_EINVAL;
    if (!program) { printf("    no program: %s\n", report.text); return status; }
    const bln_density d = bln_program_density(program);
    status = d.eval(d.user, q, value, gradient, &report);
    bln_program_free(program);
    return status;
}

/* The status with which making a program must fail, and the words of its report. */
static TEST_UNUSED bln_status tape_refused(bln_program_model model, void *user, size_t dim, const double *start, bln_report *report)
{
    bln_program *program;
    const bln_status status = tape_make(model, user, dim, start, &program, report);
    CHECK(program == NULL);
    bln_program_free(program);
    return status;
}

#endif
