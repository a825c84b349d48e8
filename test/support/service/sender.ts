/** Sends what the contract of the pet store declares. */
import { createSender } from '@specwright/accounts/webhooks';
import { outgoing } from '../../../generated/outgoing.ts';
import { loadPetStore } from '../../../src/service.ts';

export const sender = createSender(await loadPetStore(), outgoing);
