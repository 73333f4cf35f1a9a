/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Criterion starts libgit2 in the process of each test, which parses all certificates of the system: a
 * fifth of the time of a short test. This function takes the place of the one that it calls.
 */
int mbedtls_x509_crt_parse_file(void *chain, const char *path);

int mbedtls_x509_crt_parse_file(void *chain, const char *path)
{
    (void)chain;
    (void)path;
    return 0;
}
