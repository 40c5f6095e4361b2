/* Breakthrough, 5 rows of 4 columns, one row of pawns each: int8 cells. */
#include <stdint.h>

enum { ROWS = 5, COLUMNS = 4 };

typedef struct {
    int8_t cell[ROWS][COLUMNS], pawns[2], turn, winner;
} State;

static const State START = {{{1, 1, 1, 1}, {0}, {0}, {0}, {2, 2, 2, 2}}, {COLUMNS, COLUMNS}, 0, 0};

#include "perft.h"

static int over(const State *s) { return s->winner != 0; }

static int children(const State *s, State *out) {
    int n = 0, me = s->turn, foe = 1 - me, step = me ? -1 : 1, goal = me ? 0 : ROWS - 1;
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++) {
            if (s->cell[row][column] != me + 1)
                continue;
            int ahead = row + step;
            for (int beside = column - 1; beside <= column + 1; beside++) {
                if (beside < 0 || beside >= COLUMNS)
                    continue;
                int8_t target = s->cell[ahead][beside];
                if (target == me + 1 || (beside == column && target))
                    continue;
                State *child = &out[n++];
                *child = *s;
                child->cell[row][column] = 0;
                child->cell[ahead][beside] = me + 1;
                if (target)
                    child->pawns[foe]--;
                if (ahead == goal || child->pawns[foe] == 0)
                    child->winner = me + 1;
                child->turn = foe;
            }
        }
    return n;
}
