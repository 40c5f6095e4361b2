/* Connect four, 7 columns of 6: int8 cells, the line of four looked for through the new disc. */
#include <stdint.h>

enum { COLUMNS = 7, ROWS = 6, LENGTH = 4 };

typedef struct {
    int8_t cell[COLUMNS][ROWS], height[COLUMNS], turn, winner;
} State;

static const State START;

#include "perft.h"

static int run(const State *s, int column, int row, int right, int up, int8_t own) {
    int n = 0;
    for (int k = 1; k < LENGTH; k++) {
        int c = column + k * right, r = row + k * up;
        if (c < 0 || c >= COLUMNS || r < 0 || r >= ROWS || s->cell[c][r] != own)
            break;
        n++;
    }
    return n;
}

static int line(const State *s, int column, int row, int8_t own) {
    static const int directions[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    for (int d = 0; d < 4; d++) {
        int right = directions[d][0], up = directions[d][1];
        if (run(s, column, row, right, up, own) + run(s, column, row, -right, -up, own) >= LENGTH - 1)
            return 1;
    }
    return 0;
}

static int over(const State *s) {
    if (s->winner)
        return 1;
    for (int c = 0; c < COLUMNS; c++)
        if (s->height[c] < ROWS)
            return 0;
    return 1;
}

static int children(const State *s, State *out) {
    int n = 0;
    for (int c = 0; c < COLUMNS; c++) {
        int row = s->height[c];
        if (row == ROWS)
            continue;
        State *child = &out[n++];
        *child = *s;
        child->cell[c][row] = s->turn + 1;
        child->height[c]++;
        child->turn = 1 - s->turn;
        if (line(s, c, row, s->turn + 1))
            child->winner = s->turn + 1;
    }
    return n;
}
