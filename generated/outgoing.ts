/** Generated from the spec by `npm run generate`. Do not edit: change the spec. */
import type * as server from '@specwright/server';
import type { webhooks } from './openapi.ts';

/** The body of each webhook and callback that the service sends, by the name of the function that sends it. */
export interface OutgoingTypes {
  readonly "messageCreated": server.OutgoingWebhook<NonNullable<webhooks["messageCreated"]['post']['requestBody']>['content']["application/json"]>;
  readonly "signUpRequested": server.OutgoingWebhook<NonNullable<webhooks["signUpRequested"]['post']['requestBody']>['content']["application/json"]>;
}

/** What `createSender` and `createWorker` of @specwright/accounts/webhooks take. */
export const outgoing: server.GeneratedOutgoing<OutgoingTypes> = {
  table: {
    "messageCreated": {
      "source": "x-webhooks",
      "method": "POST",
      "type": "application/json",
      "statuses": [
        "2XX"
      ],
      "callback": null
    },
    "signUpRequested": {
      "source": "x-webhooks",
      "method": "POST",
      "type": "application/json",
      "statuses": [
        "2XX"
      ],
      "callback": null
    }
  },
};
