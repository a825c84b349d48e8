import com.example.petstore.*;
import com.example.petstore.model.*;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** Signs up, adds pets, lists them page by page, and shows an error and a 429. */
public class Example {
  public static void main(String[] arguments) throws Exception {
    String url = Optional.ofNullable(System.getenv("BASE_URL")).orElse("http://localhost:3000");
    ApiClient client = new ApiClient();
    client.updateBaseUri(url);
    CreatedAccount account = new AccountApi(client).createAccount(new NewAccount().email(UUID.randomUUID() + "@example.com"), null);
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + account.getApiKey()));

    PetsApi pets = new PetsApi(client);
    Category category = pets.createCategory(new NewCategory().name("Dogs"), null);
    for (String name : List.of("Rex", "Bo", "Ida")) {
      // With an Idempotency-Key the request can be sent again until there is an answer.
      NewPet pet = new NewPet().name(name).categoryId(category.getId());
      ApiResponse<Pet> created = pets.createPetWithHttpInfo(pet, UUID.randomUUID().toString());
      System.out.println("created " + created.getData().getName() + " " + created.getHeaders().get("location").get(0));
    }

    String cursor = null;
    do {
      ApiResponse<List<Pet>> page = pets.listPetsWithHttpInfo(null, null, 2, cursor);
      System.out.println("page " + page.getData().size());
      cursor = page.getHeaders().getOrDefault("link", List.of()).stream()
          .map(Pattern.compile("[?&]cursor=([^&>]*)[^>]*>; rel=\"next\"")::matcher)
          .filter(matcher -> matcher.find()).map(matcher -> matcher.group(1)).findFirst().orElse(null);
    } while (cursor != null);

    try {
      pets.getStorePet(9007199254740991L, null);
    } catch (ApiException error) {
      System.out.println("error " + error.getCode() + " " + bodyOf(error).getCode());
    }

    try {
      while (true) pets.listPets(null, null, null, null);
    } catch (ApiException error) {
      System.out.println("limited " + bodyOf(error).getCode());
      System.out.println("retry after " + error.getResponseHeaders().firstValue("Retry-After").orElseThrow() + " s");
    }
  }

  private static com.example.petstore.model.Error bodyOf(ApiException error) throws Exception {
    return ApiClient.createDefaultObjectMapper().readValue(error.getResponseBody(), com.example.petstore.model.Error.class);
  }
}
