// A program of two libraries that were compiled for different architectures. That it links is the test; it is not run.
void library_for_sm_80(int* result, int n);
void library_for_sm_90(int* result, int n);

int main(int argc, char**)
{
  (argc > 1 ? library_for_sm_80 : library_for_sm_90)(nullptr, 0);
}
