/** Controllers whose classes say what the documents say, where class-validator has a decorator for it; a global ValidationPipe checks them. */
import 'reflect-metadata';
import { Body, Controller, Get, HttpCode, Module, Param, ParseArrayPipe, Post, Query, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Transform, Type } from 'class-transformer';
import * as is from 'class-validator';

const echo = (parts: object) => ({ path: {}, query: {}, header: {}, cookie: {}, ...parts });
const ofQuery = (color: unknown) => echo({ query: { color } });
const separated = (separator: string, items: any) => new ParseArrayPipe({ items, separator, optional: true });

class Level {
  @Type(() => Number) @is.IsInt() @is.Min(-5) @is.Max(10) color: number;
}
class OptionalLevel {
  @is.IsOptional() @Type(() => Number) @is.IsInt() @is.Min(-5) @is.Max(10) color?: number;
}
class OptionalInteger {
  @is.IsOptional() @Type(() => Number) @is.IsInt() color?: number;
}
class Share {
  @is.IsOptional() @Type(() => Number) @is.IsNumber() @is.Max(999.75) @is.IsDivisibleBy(0.25) color?: number;
}
class OptionalBoolean {
  @is.IsOptional() @is.IsBoolean() @Transform(({ value }) => ({ true: true, false: false })[value] ?? value) color?: boolean;
}
class OptionalText {
  @is.IsOptional() @is.IsString() color?: string;
}
class RequiredText {
  @is.IsString() color: string;
}
class PathText {
  @is.IsString() @is.MaxLength(6) color: string;
}
class ShortText {
  @is.IsOptional() @is.IsString() @is.MinLength(2) @is.MaxLength(4) color?: string;
}
class OneOf {
  @is.IsOptional() @is.IsIn(['red', 'light blue', '7']) color?: string;
}
class Matching {
  @is.IsOptional() @is.Matches(/^[a-z]+[0-9]?$/) color?: string;
}
class MatchingAnywhere {
  @is.IsOptional() @is.Matches(/b.e/) color?: string;
}
class OptionalDate {
  @is.IsOptional() @is.IsISO8601({ strict: true }) @is.Length(10, 10) color?: string;
}
class OptionalDateTime {
  @is.IsOptional() @is.IsRFC3339() color?: string;
}
class Defaulted {
  @Type(() => Number) @is.IsInt() @is.Min(1) color: number = 20;
}
class Texts {
  @is.IsOptional() @Transform(({ value }) => [value].flat()) @is.IsString({ each: true }) color?: string[];
}
class Integers {
  @is.IsOptional()
  @Transform(({ value }) => [value].flat().map(Number))
  @is.IsInt({ each: true })
  @is.ArrayMinSize(1)
  @is.ArrayMaxSize(3)
  @is.ArrayUnique()
  color?: number[];
}
class Rgb {
  @is.IsOptional() @Type(() => Number) @is.IsInt() R?: number;
  @is.IsOptional() @Type(() => Number) @is.IsInt() G?: number;
  @is.IsOptional() @Type(() => Number) @is.IsInt() B?: number;
}
class RedGreen {
  @Type(() => Number) @is.IsInt() R: number;
  @is.IsOptional() @Type(() => Number) @is.IsInt() G?: number;
}
class Deep {
  @is.IsOptional() @is.ValidateNested() @Type(() => Rgb) color?: Rgb;
}
class Shade {
  @Type(() => Number) @is.IsInt() @is.Max(255) R: number;
  @is.IsOptional() @is.IsString() note?: string;
  @is.IsOptional() @is.IsBoolean() @Transform(({ value }) => ({ true: true, false: false })[value] ?? value) dark?: boolean;
}
class DeepShade {
  @is.IsOptional() @is.ValidateNested() @Type(() => Shade) color?: Shade;
}

class NameCount {
  @is.IsString() name: string;
  @is.IsOptional() @is.IsInt() count?: number;
}
class Sized {
  @is.IsInt() @is.Max(9) size: number = 5;
}

// prettier-ignore
@Controller('bodies')
class Bodies {
  @Post('object') @HttpCode(200) object(@Body() body: NameCount) { return echo({ body }); }
  @Post('default') @HttpCode(200) default(@Body() body: Sized) { return echo({ body }); }
}

// prettier-ignore
@Controller('parameters')
class Parameters {
  @Get('path-simple-string/:color') pathSimpleString(@Param() path: RequiredText) { return echo({ path }); }
  @Get('path-simple-explode-string/:color') pathSimpleExplodeString(@Param() path: RequiredText) { return echo({ path }); }
  @Get('path-integer/:color') pathInteger(@Param() path: Level) { return echo({ path }); }
  @Get('path-text/:color') pathText(@Param() path: PathText) { return echo({ path }); }
  @Get('query-form-string') queryFormString(@Query() query: OptionalText) { return echo({ query }); }
  @Get('query-form-explode-string') queryFormExplodeString(@Query() query: OptionalText) { return echo({ query }); }
  @Get('query-form-array') queryFormArray(@Query('color', separated(',', String)) color?: string[]) { return ofQuery(color); }
  @Get('query-spaceDelimited-array') querySpaceDelimitedArray(@Query('color', separated(' ', String)) color?: string[]) { return ofQuery(color); }
  @Get('query-pipeDelimited-array') queryPipeDelimitedArray(@Query('color', separated('|', String)) color?: string[]) { return ofQuery(color); }
  @Get('query-list-pipes') queryListPipes(@Query('color', separated('|', Number)) color?: number[]) { return ofQuery(color); }
  @Get('query-list-blanks') queryListBlanks(@Query('color', separated(' ', Number)) color?: number[]) { return ofQuery(color); }
  @Get('query-form-explode-array') queryFormExplodeArray(@Query() query: Texts) { return echo({ query }); }
  @Get('query-form-explode-object') queryFormExplodeObject(@Query() color: Rgb) { return ofQuery(color); }
  @Get('query-exploded-object') queryExplodedObject(@Query() color: RedGreen) { return ofQuery(color); }
  @Get('query-deepObject-explode-object') queryDeepObjectExplodeObject(@Query() query: Deep) { return echo({ query }); }
  @Get('query-deep-object') queryDeepObject(@Query() query: DeepShade) { return echo({ query }); }
  @Get('query-integer') queryInteger(@Query() query: OptionalLevel) { return echo({ query }); }
  @Get('query-integer-once') queryIntegerOnce(@Query() query: OptionalInteger) { return echo({ query }); }
  @Get('query-number') queryNumber(@Query() query: Share) { return echo({ query }); }
  @Get('query-boolean') queryBoolean(@Query() query: OptionalBoolean) { return echo({ query }); }
  @Get('query-text') queryText(@Query() query: ShortText) { return echo({ query }); }
  @Get('query-enum') queryEnum(@Query() query: OneOf) { return echo({ query }); }
  @Get('query-pattern') queryPattern(@Query() query: Matching) { return echo({ query }); }
  @Get('query-pattern-anywhere') queryPatternAnywhere(@Query() query: MatchingAnywhere) { return echo({ query }); }
  @Get('query-date') queryDate(@Query() query: OptionalDate) { return echo({ query }); }
  @Get('query-date-time') queryDateTime(@Query() query: OptionalDateTime) { return echo({ query }); }
  @Get('query-default') queryDefault(@Query() query: Defaulted) { return echo({ query }); }
  @Get('query-required') queryRequired(@Query() query: RequiredText) { return echo({ query }); }
  @Get('query-list') queryList(@Query() query: Integers) { return echo({ query }); }
}

@Module({ controllers: [Bodies, Parameters] })
class AppModule {}

const app = await NestFactory.create<NestExpressApplication>(AppModule, { logger: ['error'] });
app.set('query parser', 'extended');
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }));
await app.listen(Number(process.env.PORT), '127.0.0.1');
