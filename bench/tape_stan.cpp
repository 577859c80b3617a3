// tape_stan.cpp - microseconds of one gradient by Stan, of the numbers that bench_tape wrote (bench/tape_stan.R builds and runs it)
//
// argv: the file of bench_tape --data. Stan leaves constant terms out, as its samplers do. Least of 9 rounds of user CPU time, as
// bench_tape measures; the largest difference of the gradients tells whether both do the same.
#include HPP
#include <stan/io/array_var_context.hpp>
#include <stan/model/log_prob_grad.hpp>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>

typedef std::vector<size_t> sizes;

static double seconds() { return static_cast<double>(std::clock())/CLOCKS_PER_SEC; }

int main(int argc, char **argv)
{
    std::vector<std::string> real_names, int_names;
    std::vector<double> reals, q, want, got;
    std::vector<int> ints, none;
    std::vector<sizes> real_sizes, int_sizes;
    std::ifstream file(argc > 1 ? argv[1] : "");
    std::string kind, name;
    size_t rows, cols;
    while (file >> kind >> name >> rows >> cols) {
        std::vector<double> x(rows*cols), columns(rows*cols);
        for (size_t i = 0; i < x.size(); i++) file >> x[i];
        for (size_t i = 0; i < rows; i++) for (size_t j = 0; j < cols; j++) columns[j*rows + i] = x[i*cols + j];
        if (name == "q") q = x;
        else if (name == "gradient") want = x;
        else {
            const sizes s = kind == "number" ? sizes() : cols == 1 ? sizes(1, rows) : sizes{ rows, cols };
            const bool whole = kind == "number" || kind == "whole";
            (whole ? int_names : real_names).push_back(name);
            (whole ? int_sizes : real_sizes).push_back(s);
            if (whole) ints.insert(ints.end(), x.begin(), x.end());
            else reals.insert(reals.end(), columns.begin(), columns.end());
        }
    }
    stan::io::array_var_context context(real_names, reals, real_sizes, int_names, ints, int_sizes);
    stan_model model(context, 0, nullptr);
    double worst = 0, best = 1e9, took = 0, value = 0;
    size_t times = 1;
    for (;; times *= 2) {
        const double begin = seconds();
        for (size_t k = 0; k < times; k++) value += stan::model::log_prob_grad<true, true>(model, q, none, got);
        took = seconds() - begin;
        if (took > 0.02) break;
    }
    for (int round = 0; round < 9; round++) {
        const double begin = seconds();
        for (size_t k = 0; k < times; k++) value += stan::model::log_prob_grad<true, true>(model, q, none, got);
        best = std::min(best, (seconds() - begin)/static_cast<double>(times));
    }
    for (size_t k = 0; k < got.size(); k++) worst = std::max(worst, std::fabs(got[k] - want[k])/(1 + std::fabs(want[k])));
    std::printf("%.3f %.1e%s\n", 1e6*best, worst, value == value ? "" : " NaN");
    return 0;
}
