/* Loads a model in f16 except for some parts that need more. Those are cast back in a loop: the
 * loop's own variable gets the f32 tensor, and the model does not. */
#include <stdio.h>
#include <string.h>

#include <miscast/tensor.h>

enum { PARAMS = 3 };

struct param {
    const char *name;
    mc_tensor *value;
};

struct model {
    struct param params[PARAMS];
};

static bool keep_in_f32(const char *name)
{
    return strstr(name, "norm") != NULL;
}

static void model_load(struct model *m)
{
    const char *names[PARAMS] = {"attention.w", "norm.w", "mlp.w"};
    mc_manual_seed(91);
    for (int i = 0; i < PARAMS; i++) {
        m->params[i].name = names[i];
        m->params[i].value = mc_randn(mc_shape(4, 4), .dtype = MC_F16);
    }
}

static void model_restore_precision(struct model *m)
{
    for (int i = 0; i < PARAMS; i++) {
        mc_tensor *p = m->params[i].value;
        if (keep_in_f32(m->params[i].name))
            m->params[i].value = mc_float(p);
    }
}

int main(void)
{
    struct model m;
    model_load(&m);
    model_restore_precision(&m);
    int wrong = 0;
    for (int i = 0; i < PARAMS; i++) {
        const struct param *p = &m.params[i];
        printf("%s is %s\n", p->name, mc_dtype_name(mc_dtype_of(p->value)));
        wrong += keep_in_f32(p->name) && mc_dtype_of(p->value) != MC_F32;
    }
    return wrong > 0;
}
