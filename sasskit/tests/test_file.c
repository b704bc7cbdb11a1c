// Tests of sasskit/base. Files are written completely or not at all, and only regular files are
// replaced. Types and parameters are found in source files. JSON text is valid UTF-8.
#include "base/file.h"
#include "base/finding.h"
#include "base/json.h"
#include "helpers.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/file_test_XXXXXX";
static char message[512];

static int make_folder(void **state) {
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : 1;
}

static int remove_folder(void **state) {
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static const char *read_file(const char *path) {
    static char text[64];
    FILE *file = fopen(path, "r");
    if (!file) return "(no file)";
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static bool put(const char *path, const char *text) {
    message[0] = '\0';
    return file_write(path, text, strlen(text), message, sizeof message);
}

// Returns the number of files in the folder, including hidden ones.
static int files(void) {
    FILE *list = popen("ls -A | wc -l", "r");
    int count = -1;
    assert_int_equal(fscanf(list, "%d", &count), 1);
    pclose(list);
    return count;
}

static void a_file_is_written_and_replaced(void **state) {
    struct stat status;
    assert_true(put("a", "one"));
    assert_string_equal(read_file("a"), "one");
    assert_int_equal(chmod("a", 0640), 0);
    assert_true(put("./a", "two"));
    assert_string_equal(read_file("a"), "two");
    assert_int_equal(stat("a", &status), 0);
    assert_int_equal(status.st_mode & 07777, 0640);
    assert_true(put("empty", ""));
    assert_string_equal(read_file("empty"), "");
    assert_int_equal(files(), 2);
}

static void a_new_file_has_the_mode_of_any_new_file(void **state) {
    struct stat status;
    const mode_t mask = umask(027);
    assert_true(put("new", "x"));
    umask(mask);
    assert_int_equal(stat("new", &status), 0);
    assert_int_equal(status.st_mode & 07777, 0640);
}

static void what_a_link_names_is_replaced_and_the_link_stays(void **state) {
    char target[64] = "";
    assert_true(put("behind", "old"));
    assert_int_equal(symlink("behind", "link"), 0);
    assert_true(put("link", "new"));
    assert_string_equal(read_file("behind"), "new");
    assert_int_equal(readlink("link", target, sizeof target - 1), 6);
}

static void refused(const char *path, const char *says) {
    assert_false(file_writable(path, message, sizeof message));
    assert_says(message, says);
    assert_false(put(path, "x"));
    assert_says(message, says);
    assert_null(strchr(message, '\n'));
}

static void what_is_no_regular_file_is_refused(void **state) {
    struct stat status;
    assert_int_equal(mkfifo("fifo", 0666) + mkdir("sub", 0777) + symlink("nowhere", "dangling"), 0);
    assert_int_equal(symlink("loop", "loop"), 0);
    const int before = files();
    refused("fifo", "not a regular file");
    refused("sub", "is a directory");
    refused("dangling", "leads nowhere");
    refused("loop", "levels of symbolic links");
    refused("/dev/full", "not a regular file");
    refused("/dev/stdout", "no file's name");
    refused("", "no file's name");
    refused("-", "no file's name");
    refused("no/such/folder", "No such file");
    refused("a/b", "cannot be written");
    assert_int_equal(files(), before);
    assert_int_equal(stat("/dev/full", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
}

static void a_full_disk_leaves_the_old_file(void **state) {
    struct rlimit limit;
    assert_true(put("kept", "old"));
    const int before = files();
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &limit);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){8, limit.rlim_max});
    const bool written = put("kept", "much longer than before");
    setrlimit(RLIMIT_FSIZE, &limit);
    assert_false(written);
    assert_says(message, "kept: cannot be written: File too large");
    assert_string_equal(read_file("kept"), "old");
    assert_int_equal(files(), before);
}

// The temporary file has an unpredictable name. Links with guessable names are neither followed nor
// changed.
static void a_trap_beside_the_target_is_not_stepped_into(void **state) {
    assert_true(put("victim", "safe"));
    assert_int_equal(symlink("victim", "target.part") + symlink("victim", "target.new"), 0);
    assert_true(put("target", "text"));
    assert_string_equal(read_file("victim"), "safe");
    assert_string_equal(read_file("target"), "text");
}

// A report about a misaligned access names the vector type in the source line (float4), not the
// part of it that the compiler loads.
static void a_source_line_names_its_vector_type(void **state) {
    assert_true(put("k.cu", "void f(const float4 *in, float *out, float2 *two) {\n"
                            "    float4 v = in[1];\n"
                            "    out[0] = in[2].x;\n"
                            "    out[1] = 1;\n"
                            "    two[1] = *(float2 *)(out + 1);\n"
                            "    notfloat4 w;\n"));
    const unsigned expected[] = {16, 16, 16, 0, 8, 0, 0};
    for (uint32_t line = 1; line <= 7; line++)
        assert_int_equal(source_vector("k.cu", line).bytes, expected[line - 1]);
    assert_int_equal(source_vector("k.cu", 5).elements, 2);
}

// Text that is valid UTF-8 by RFC 3629 is written as it is; any other byte becomes U+FFFD.
static void json_text_is_utf_8(void **state) {
    static const struct {
        const char *text;
        int replaced; // bytes that become U+FFFD
    } cases[] = {
        {"\x7f", 0},
        {"\xc2\x80 \xdf\xbf \xe0\xa0\x80 \xed\x9f\xbf \xee\x80\x80 \xef\xbf\xbf", 0},
        {"\xf0\x90\x80\x80 \xf4\x8f\xbf\xbf", 0},
        {"\xc0\x80", 2},          // overlong
        {"\xc1\xbf", 2},          // overlong
        {"\xe0\x80\xaf", 3},      // overlong
        {"\xe0\x9f\xbf", 3},      // overlong
        {"\xf0\x8f\xbf\xbf", 4},  // overlong
        {"\xed\xa0\x80", 3},      // the first surrogate
        {"\xed\xbf\xbf", 3},      // the last surrogate
        {"\xf4\x90\x80\x80", 4},  // above U+10FFFF
        {"\xf5\x80\x80\x80", 4},  // above U+10FFFF
        {"\xff\xfe", 2},          // never in UTF-8
        {"\x80 \xbf", 2},         // no first byte: only continuation bytes
        {"\xe2\x82", 2},          // cut off
        {"\xe2\x82 \xc3\x28", 3}, // cut off by another character
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *line = NULL;
        size_t size;
        FILE *file = open_memstream(&line, &size);
        assert_non_null(file);
        struct json j = {file, false};
        json_text(&j, NULL, cases[i].text);
        fclose(file);
        int replaced = 0;
        for (const char *at = line; (at = strstr(at, "\\ufffd")); at++) replaced++;
        assert_int_equal(replaced, cases[i].replaced);
        if (!replaced && cases[i].text[0] != 0x7f)
            assert_memory_equal(line + 1, cases[i].text, strlen(cases[i].text));
        free(line);
    }
}

// Reports about addresses name the kernel's parameter: source_parameter() finds it by its index.
static void a_source_names_a_kernels_parameters(void **state) {
    char name[SOURCE_NAME];
    assert_true(put("p.cu", "__global__ void first(int n);\n"
                            "extern \"C\" __global__ void __launch_bounds__(256)\n"
                            "    second(const float *__restrict__ A, float (*f)(int, int),\n"
                            "           float *C ) {\n"
                            "}\n"));
    assert_true(source_parameter("p.cu", "second", 0, name));
    assert_string_equal(name, "A");
    assert_true(source_parameter("p.cu", "_Z6secondPKfPFfiiEPf", 2, name));
    assert_string_equal(name, "C");
    assert_true(source_parameter("p.cu", "first", 0, name));
    assert_string_equal(name, "n");
    assert_false(source_parameter("p.cu", "second", 3, name));
    assert_false(source_parameter("p.cu", "third", 0, name));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_written_and_replaced),
        cmocka_unit_test(a_new_file_has_the_mode_of_any_new_file),
        cmocka_unit_test(what_a_link_names_is_replaced_and_the_link_stays),
        cmocka_unit_test(what_is_no_regular_file_is_refused),
        cmocka_unit_test(a_full_disk_leaves_the_old_file),
        cmocka_unit_test(a_trap_beside_the_target_is_not_stepped_into),
        cmocka_unit_test(a_source_line_names_its_vector_type),
        cmocka_unit_test(a_source_names_a_kernels_parameters),
        cmocka_unit_test(json_text_is_utf_8),
    };
    return cmocka_run_group_tests_name("file", tests, make_folder, remove_folder);
}
