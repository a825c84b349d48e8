/** Every module of `document-modules.ts`, for tools, which read any document and do not wait. */
import type { DocumentModules } from './document-modules.ts';
import * as forms from './requests/form-decoder.ts';
import * as itemBodies from './requests/item-bodies.ts';
import * as multipart from './requests/multipart/field-decoder.ts';
import * as wholeQuery from './requests/whole-query.ts';
import * as sentItems from './responses/stream-validator.ts';
import * as bigIntegers from './schema/big-integers.ts';
import * as seldomChecks from './schema/problems/seldom-checks.ts';
import * as defaultValues from './schema/default-value.ts';
import * as branches from './schema/discriminator.ts';
import * as readOnly from './schema/drop-read-only.ts';
import * as dynamicScopes from './schema/dynamic-scope.ts';
import * as eventData from './schema/event-data.ts';
import * as defaults from './schema/fill-defaults.ts';
import * as flattenAllOf from './schema/flatten-all-of.ts';
import * as formats from './schema/formats.ts';
import * as identifiers from './schema/identifiers.ts';
import * as inheritance from './schema/inheritance.ts';
import * as patterns from './schema/pattern-keywords.ts';
import * as repeated from './schema/repeated-schemas.ts';
import * as uniqueItems from './schema/unique-items.ts';
import * as verdicts from './schema/verdict-cache.ts';

export const ALL_MODULES: Required<DocumentModules> = {
  ...{ identifiers, inheritance, eventData },
  ...{
    patterns,
    formats,
    branches,
    flattenAllOf,
    repeated,
    verdicts,
    dynamicScopes,
    bigIntegers,
    uniqueItems,
    seldomChecks,
    readOnly,
    defaults,
  },
  ...{ defaultValues, forms, wholeQuery, itemBodies, sentItems, multipart },
};
