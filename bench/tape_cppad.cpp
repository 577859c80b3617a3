// tape_cppad.cpp - microseconds of one gradient by CppAD, of the numbers that bench_tape wrote (bench/tape_peers.py)
//
// argv: the file of bench_tape --data, and the model. Everything is a scalar. CppAD records once and then replays, here after it
// has optimised what it recorded; recording is not counted. It is the CppAD of R's package TMB, which cannot do without TMB. Least
// of 9 rounds of processor time, and how far the gradients differ.
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <map>
#include <string>
#include <vector>
#define CPPAD_FRAMEWORK
#include <TMB.hpp>                                               // last, as R's headers define words such as length
#include <Rembedded.h>

// What TMB wants, and nothing here uses: a model, and R to talk to before other objects are made.
template<class Type> Type objective_function<Type>::operator()() { return 0; }
__attribute__((constructor(101))) static void start_R()
{
    char name[] = "R", quiet[] = "--quiet", vanilla[] = "--vanilla", *words[] = { name, quiet, vanilla };
    Rf_initEmbeddedR(3, words);
}

typedef CppAD::AD<double> number;
typedef std::vector<double> doubles;
typedef std::map<std::string, doubles> data;

static number schools(const std::vector<number> &q, const data &d)
{
    const doubles &y = d.at("y"), &s = d.at("s");
    const number tau = exp(q[1]), r = tau/5.0;
    number lp = q[1] - q[0]*q[0]*0.02 - log(1.0 + r*r);
    for (size_t i = 0; i < y.size(); i++) {
        const number z = (y[i] - q[0] - tau*q[2 + i])*(1.0/s[i]);
        lp -= 0.5*(q[2 + i]*q[2 + i] + z*z);
    }
    return lp;
}

static number logistic(const std::vector<number> &q, const data &d)
{
    const doubles &y = d.at("y"), &X = d.at("X");
    const size_t n = q.size() - 1;
    number lp = q[0]*q[0]*-0.02;
    for (size_t j = 0; j < n; j++) lp -= q[1 + j]*q[1 + j]*0.125;
    for (size_t i = 0; i < y.size(); i++) {
        number f = q[0];
        for (size_t j = 0; j < n; j++) f += X[i*n + j]*q[1 + j];
        lp += y[i]*f - log(1.0 + exp(f));
    }
    return lp;
}

static number groups(const std::vector<number> &q, const data &d)
{
    const doubles &y = d.at("y"), &g = d.at("g");
    const number tau = exp(q[1]), sigma = exp(q[2]), precision = 1.0/(sigma*sigma);
    number lp = q[1] + q[2] - q[0]*q[0]*0.02 - (tau*tau + sigma*sigma)*0.125, squares = 0.0;
    for (size_t k = 3; k < q.size(); k++) lp -= 0.5*q[k]*q[k];
    for (size_t i = 0; i < y.size(); i++) {
        const number r = y[i] - q[0] - tau*q[2 + static_cast<size_t>(g[i])];
        squares += r*r;
    }
    return lp - 0.5*squares*precision - static_cast<double>(y.size())*q[2];
}

static double seconds() { return static_cast<double>(std::clock())/CLOCKS_PER_SEC; }

int main(int argc, char **argv)
{
    data d;
    std::ifstream file(argc > 2 ? argv[1] : "");
    std::string kind, name;
    size_t rows, cols;
    while (file >> kind >> name >> rows >> cols) {
        doubles &x = d[name];
        x.resize(rows*cols);
        for (size_t i = 0; i < x.size(); i++) file >> x[i];
    }
    if (argc < 3 || !d.count("q")) return 1;
    const std::string model = argv[2];
    const doubles q = d["q"], want = d["gradient"], one(1, 1.0);
    std::vector<number> x(q.begin(), q.end()), y(1);
    CppAD::Independent(x);
    y[0] = model == "schools" ? schools(x, d) : model == "logistic" ? logistic(x, d) : groups(x, d);
    CppAD::ADFun<double> f(x, y);
    f.optimize();
    doubles got;
    double worst = 0, best = 1e9, took = 0;
    size_t times = 1;
    for (int round = -30; round < 9; round++) {
        const double begin = seconds();
        for (size_t k = 0; k < times; k++) { f.Forward(0, q); got = f.Reverse(1, one); }
        took = seconds() - begin;
        if (round >= 0) best = std::min(best, took/static_cast<double>(times));
        else if (took < 0.02) times *= 2;
    }
    for (size_t k = 0; k < got.size(); k++) worst = std::max(worst, std::fabs(got[k] - want[k])/(1 + std::fabs(want[k])));
    std::printf("%.3f %.1e\n", 1e6*best, worst);
    return 0;
}
