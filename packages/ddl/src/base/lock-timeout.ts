/**
 * How long a statement waits for a table lock before the whole change fails. Other requests on the table queue behind
 * it meanwhile.
 */
export const lockTimeout = "3s";
