extern int declared_again; /* has no guard */
