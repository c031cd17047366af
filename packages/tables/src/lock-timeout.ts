/** How long a statement waits for a table before the whole change is given up: requests queue behind it meanwhile. */
export const lockTimeout = "3s";
