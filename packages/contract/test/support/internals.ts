/** What tests of other packages use of this one beside its public API. */
export { basePaths } from '../../src/create-contract.ts';
export { ALL_MODULES } from '../../src/all-modules.ts';
export { createOperationValidators } from '../../src/operation-validators.ts';
export { findAlteredNumbers, isExact } from '../../src/json/altered-numbers.ts';
export { createErrorBodies } from '../../src/responses/error-body.ts';
export { otherStatuses } from '../../src/responses/error-values.ts';
export { createCompileSent } from '../../src/responses/sent-value.ts';
export { createMultipleTest } from '../../src/schema/big-integers.ts';
export { createParameterDecoder } from '../../src/requests/parameter-decoder.ts';
