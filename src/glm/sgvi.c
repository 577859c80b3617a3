/* sgvi: >>glm_mixture with one component, by batches, with one draw of the weights for each step         [variational 39] */
#include "sgvi.h"
#include "mixture_private.h"

BLNI_PRIV void blni_sgvi_defaults(void *own)
{
    bln_glm_mixture_desc *o = (bln_glm_mixture_desc *)own;
    if (!o->steps.batch) o->steps.batch = 10;
    o->expectation = BLN_GLM_EXPECT_WEIGHTS;
    blni_glm_mixture_defaults(own);
}

BLNI_TABLE const bln_glm_method_ops blni_sgvi_ops = BLNI_GLM_MIXTURE_OPS("sgvi", BLNI_CAN_LEARN,
    blni_sgvi_defaults, blni_glm_mixture_check, blni_glm_mixture_begin, blni_glm_mixture_finish);

BLN_API bln_glm_method bln_glm_sgvi(const bln_glm_mixture_desc *own) { return blni_glm_method(&blni_sgvi_ops, own); }

BLNI_TABLE const bln_option blni_sgvi_options[] = {
    BLNI_GLM_STARTS,
    BLNI_GLM_STEPS(bln_glm_mixture_desc, NULL),
    BLNI_GLM_NATURAL(bln_glm_mixture_desc, NULL)
};

BLNI_TABLE const bln_glm_card blni_sgvi_card = {
    &blni_sgvi_ops, "sgvi", "variational, by draws of the weights", "lower bound",
    "for learning: a mixture's one component from single draws of the weights, by\n"
    "batches (default: of 10 rows)",
    BLN_GLM_IS_MIXTURE | BLN_GLM_ALWAYS_BATCHES, BLNI_GLM_OWN(bln_glm_mixture_desc, blni_sgvi_options)
};

BLN_API const bln_glm_card *bln_glm_sgvi_card(void) { return &blni_sgvi_card; }
