/* Ratings: user and item in one table of floats, as the reader returns them. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>

struct table {
    double *cells;
    int64_t rows;
};

static struct table read_csv(const char *path)
{
    struct table t = {malloc(sizeof(double) * 2 * 1000), 0};
    FILE *f = fopen(path, "r");
    double user, rating;
    while (f && t.cells && t.rows < 1000 && fscanf(f, "%lf,%lf", &user, &rating) == 2) {
        t.cells[2 * t.rows] = user;
        t.cells[2 * t.rows + 1] = rating;
        t.rows++;
    }
    if (f)
        fclose(f);
    return t;
}

int main(int argc, char **argv)
{
    struct table t = read_csv(argc > 1 ? argv[1] : "ratings.csv");
    mc_tensor *all = mc_from_array(t.cells, mc_shape(t.rows, 2));
    mc_tensor *data = mc_float(all);
    mc_tensor *users = mc_long(mc_select(data, 1, 0));
    mc_tensor *ratings = mc_select(data, 1, 1);
    mc_print(users);
    printf("%g\n", mc_item(mc_mean(ratings)));
    free(t.cells);
    return 0;
}
