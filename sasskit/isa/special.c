// Special registers: their numbers and names.
#include "encoding.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    uint8_t number;
    const char *name;
} specials[] = {
    {0x00, "SR_LANEID"},
    {0x01, "SR_CLOCK"},
    {0x02, "SR_VIRTCFG"},
    {0x03, "SR_VIRTID"},
    {0x20, "SR_TID"},
    {0x21, "SR_TID.X"},
    {0x22, "SR_TID.Y"},
    {0x23, "SR_TID.Z"},
    {0x25, "SR_CTAID.X"},
    {0x26, "SR_CTAID.Y"},
    {0x27, "SR_CTAID.Z"},
    {0x28, "SR_NTID"},
    {0x2a, "SR_NLATC"},
    {0x2e, "SR_LWINHI"},
    {0x2f, "SR_SWINHI"},
    {0x30, "SR_SWINLO"},
    {0x31, "SR_SWINSZ"},
    {0x32, "SR_SMEMSZ"},
    {0x33, "SR_SMEMBANKS"},
    {0x34, "SR_LWINLO"},
    {0x35, "SR_LWINSZ"},
    {0x36, "SR_LMEMLOSZ"},
    {0x37, "SR_LMEMHIOFF"},
    {0x38, "SR_EQMASK"},
    {0x39, "SR_LTMASK"},
    {0x3a, "SR_LEMASK"},
    {0x3b, "SR_GTMASK"},
    {0x3c, "SR_GEMASK"},
    {0x3d, "SR_REGALLOC"},
    {0x3e, "SR_BARRIERALLOC"},
    {0x40, "SR_GLOBALERRORSTATUS"},
    {0x41, "SR_CGAERRORSTATUS"},
    {0x42, "SR_WARPERRORSTATUS"},
    {0x43, "SR_VIRTUALSMID"},
    {0x44, "SR_VIRTUALENGINEID"},
    {0x50, "SR_CLOCKLO"},
    {0x51, "SR_CLOCKHI"},
    {0x52, "SR_GLOBALTIMERLO"},
    {0x53, "SR_GLOBALTIMERHI"},
    {0x64, "SR_PM0"},
    {0x66, "SR_PM1"},
    {0x68, "SR_PM2"},
    {0x6a, "SR_PM3"},
    {0x6c, "SR_PM4"},
    {0x6e, "SR_PM5"},
    {0x70, "SR_PM6"},
    {0x72, "SR_PM7"},
    {0x74, "SR_SNAP_PM0"},
    {0x76, "SR_SNAP_PM1"},
    {0x78, "SR_SNAP_PM2"},
    {0x7a, "SR_SNAP_PM3"},
    {0x7c, "SR_SNAP_PM4"},
    {0x7e, "SR_SNAP_PM5"},
    {0x80, "SR_SNAP_PM6"},
    {0x82, "SR_SNAP_PM7"},
    {0x86, "SR_WARPGROUP_INFO"},
    {0x87, "SR_WARPGROUPID"},
    {0x88, "SR_CgaCtaId"},
    {0x89, "SR_GpcLocalCgaId"},
    {0x8a, "SR_CgaSize"},
    {0xff, "SRZ"},
};

const char *special_name(unsigned number) {
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        if (specials[i].number == number) return specials[i].name;
    }
    return NULL;
}

int special_number(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        if (strlen(specials[i].name) == length && memcmp(specials[i].name, name, length) == 0)
            return specials[i].number;
    }
    if (length > 2 && length < 6 && memcmp(name, "SR", 2) == 0) {
        int number = 0;
        for (size_t i = 2; i < length; i++) {
            if (name[i] < '0' || name[i] > '9') return -1;
            number = number * 10 + name[i] - '0';
        }
        if (number < 256 && !special_name((unsigned)number)) return number;
    }
    return -1;
}
