/** Changes of who may call an operation, for how long, and how often, with the rules that have to find them. */
import { get, operation, type Case } from './breaking.ts';

const lasting = (fields: Record<string, unknown>) => get({ deprecated: true, ...fields });

export const CALLERS: readonly Case[] = [
  ['security added', get({ security: [] }), get({ security: [{ key: [] }] }), ['security-requirement-changed']],
  ['security inherited', get({ security: [] }), get(), ['security-requirement-changed']],
  ['another scheme than the inherited one', get(), get({ security: [{ other: [] }] }), ['security-requirement-changed']],
  ['a second scheme needed', get(), get({ security: [{ key: [], other: [] }] }), ['security-requirement-changed']],
  ['a scheme no longer accepted', get({ security: [{ key: [] }, { other: [] }] }), get(), ['security-requirement-changed']],
  ['another scheme accepted as well', get(), get({ security: [{ other: [] }, { key: [] }] }), []],
  ['the inherited security written out', get(), get({ security: [{ key: [] }] }), []],
  ['security removed', get(), get({ security: [] }), []],
  ['a deprecation with a sunset to come', get(), lasting({ 'x-deprecated-sunset': '2027-01-01' }), []],
  ['a deprecation with a sunset that is past', get(), lasting({ 'x-deprecated-sunset': '2026-01-01' }), ['sunset-earlier']],
  [
    'a sunset moved earlier',
    lasting({ 'x-deprecated-sunset': '2027-12-31' }),
    lasting({ 'x-deprecated-sunset': '2027-01-01' }),
    ['sunset-earlier'],
  ],
  ['a sunset moved later', lasting({ 'x-deprecated-sunset': '2027-01-01' }), lasting({ 'x-deprecated-sunset': '2027-12-31' }), []],
  ['a deprecation taken back', lasting({ 'x-deprecated-sunset': '2027-01-01' }), get(), []],
  [
    'an operation removed before its sunset',
    { ...lasting({ 'x-deprecated-sunset': '2027-01-01' }), put: operation() },
    { put: operation() },
    ['operation-removed'],
  ],
  [
    'an operation removed after its sunset',
    { ...lasting({ 'x-deprecated-sunset': '2026-01-01' }), put: operation() },
    { put: operation() },
    [],
  ],
  ['a stability lowered', get({ 'x-stability': 'beta' }), get({ 'x-stability': 'experimental' }), ['stability-lowered']],
  ['a stability raised', get({ 'x-stability': 'beta' }), get(), []],
  ['a cost raised', get(), get({ 'x-rate-limit-cost': 2 }), ['rate-limit-cost-raised']],
  ['a cost lowered', get({ 'x-rate-limit-cost': 2 }), get(), []],
];
