#ifndef BLN_OPTIM_SGD_H
#define BLN_OPTIM_SGD_H
/* >>sgd - stochastic gradient steps: Adam and its kin                                                    [optimisation 3-15]
 *
 *     method               step at t = 1, 2, ... with the rate r = r_t, elementwise                       default rate
 *     BLN_SGD_ADAM         m <- b1 m + (1-b1) g;  v <- b2 v + (1-b2) g^2;                                         0.01
 *                          x <- x - r m^/(sqrt v^ + e),  m^ = m/(1-b1^t), v^ = v/(1-b2^t)
 *     BLN_SGD_AMSGRAD      the same m and v;  w <- max(w, v);  x <- x - r m/(sqrt w + e)                      0.01
 *     BLN_SGD_RMSPROP      v <- b2 v + (1-b2) g^2;  x <- x - r g/(sqrt v + e)                                0.001
 *     BLN_SGD_ADAGRAD      v <- v + g^2;  x <- x - r g/(sqrt v + e)                                            0.1
 *     BLN_SGD_ADADELTA     v <- b2 v + (1-b2) g^2;  d = sqrt(u+e)/sqrt(v+e) g;  x <- x - r d;                    1
 *                          u <- b2 u + (1-b2) d^2
 *     BLN_SGD_PLAIN        x <- x - r g                                                                       0.01
 *     BLN_SGD_MOMENTUM     u <- b1 u - r g;  x <- x + u                                                       0.01
 *     BLN_SGD_NESTEROV     u <- b1 u - r g;  x <- x + b1 u - r g  (x is the look-ahead point of the gradient)         0.01
 *
 * A gradient that is not finite, or whose square is not, is skipped: x stays as it is, and so does t. */
typedef enum bln_sgd_method {
    BLN_SGD_ADAM, BLN_SGD_AMSGRAD, BLN_SGD_RMSPROP, BLN_SGD_ADAGRAD, BLN_SGD_ADADELTA, BLN_SGD_PLAIN, BLN_SGD_MOMENTUM,
    BLN_SGD_NESTEROV
} bln_sgd_method;

#endif /* BLN_OPTIM_SGD_H */
