"""The words of Monjan Colosseum: positions, moves, logs, boards, packs and reading profiles as people write them."""
