/** The licence of the program and what it owes to others, as they lie beside its source. */
import licence from '../../../LICENSE?raw';
import notice from '../../../NOTICE?raw';

export const legal = { licence, notice };
